import { isCount, type Table } from "../../metrics/index.js";
import { patched } from "../evaluate/scenario.js";
import type { Evaluator } from "../evaluate/evaluator.js";
import { bitsWithin, carriedBits, rootMeanSquare, samplingErrors, widthsOf, type Supposed } from "../evidence.js";
import { populationKey } from "../ratings/population.js";
import { fitOf, maxOutliers, modelOf, type Target } from "../target.js";
import { isInUse } from "./parameters.js";
import { sizeOf, type Candidate, type SearchResult } from "./search.js";

/** What an explanation has to outweigh: `evidence` must be at least `cost` + `margin`. In bits. */
export interface EvidenceBits {
  /** Carried by the numbers that differ from the run's own conventions and that it reproduces. */
  readonly evidence: number;
  /** Of everything that is supposed, and of the numbers that it does not reproduce. */
  readonly cost: number;
  readonly margin: number;
}

/** Axes of conventions that move or stretch all numbers, as parameters do. */
const maps: ReadonlySet<string> = new Set(["relative", "scale", "unit"]);

/** Bits against chance beyond those for the number of candidates: 1 in 4. */
export const chanceBits = 2;

/** What is weighed: everything that a candidate supposes, or a part of it. */
type Supposition = Pick<Candidate, "hypotheses" | "parameters">;

/**
 * What speaks for a candidate, or for a part of it beyond `own`, and what it has to outweigh. The margin grows with the
 * candidates tried: those that suppose no more and that the agreeing numbers do not rule out. What the published options
 * state was not tried for.
 */
export function weigh(
  target: Target,
  { candidates, stated: options, shared, evaluator, own: runs }: SearchResult,
  candidate: Candidate,
  part: Supposition = candidate,
  own = runs,
): EvidenceBits {
  const stated = [...options, ...(shared?.parts ?? [])].map(({ name }) => name);
  const differing = new Set(own.fit.misses);
  const allowed = maxOutliers(differing.size);
  const rest = candidate.hypotheses.filter((h) => !part.hypotheses.includes(h));
  const isPossible = (c: Candidate): boolean =>
    sizeOf(c) <= sizeOf(candidate) &&
    rest.every(({ name }) => c.hypotheses.some((h) => h.name === name)) &&
    c.fit.misses.filter((i) => !differing.has(i)).length <= allowed;
  const isStated = part.parameters.length === 0 && part.hypotheses.every((h) => stated.includes(h.name));
  const isKnown = part.parameters.length === 0 && part.hypotheses.every((h) => isShared({ shared }, h));
  const tried = isStated ? 1 : candidates.filter(isPossible).length;
  const isOther = populationKey(candidate.scenario.population) !== populationKey(own.scenario.population);
  const widths = widthsOf(target, evaluator, candidate.scenario, candidate.table, isOther);
  const fitted = part.parameters.filter((p) => !isInUse(target.kind, p)).length;
  const tables = fitted > 0 ? [] : [own.table, candidate.table];
  // A part does not have to state what is wrong without it, too.
  const charged = candidate.fit.misses.filter((i) => own === runs || !differing.has(i));
  const missed = charged.map((i) => bitsOfMiss(target, widths, i, tables));
  const misses = new Set(candidate.fit.misses);
  // Only other ratings change counts: how they are scored is shown by the other numbers.
  const isEvidence = (i: number): boolean => isOther || !isCount(target.kind, target.cells[i]?.field ?? "");
  const gained = own.fit.misses.filter((i) => !misses.has(i) && isEvidence(i));
  const carried = (errors?: Readonly<Record<string, number>>): number =>
    carriedBits(target, own.table, widths, gained, supposedBy(own, candidate), errors);
  const bitsOf = (all: readonly { readonly bits: number }[]): number => all.reduce((sum, { bits }) => sum + bits, 0);
  /** A map of all numbers pays for itself; the rest of the explanation must show within the sampling error. */
  const carriedBeyondChance = (): number => {
    const mapBits = bitsOf([...part.parameters, ...part.hypotheses.filter(({ axis }) => maps.has(axis))]);
    const errors = errorsOf(target, evaluator, candidate);
    // As many numbers as there are fitted parameters follow from any of their values.
    return mapBits + carried(errors) * Math.max(0, 1 - fitted / Math.max(1, gained.length));
  };
  const evidence = carried();
  return {
    // What the published options state is no other statistic, found because it comes near.
    evidence: isStated ? evidence : Math.min(evidence, carriedBeyondChance()),
    cost: missed.reduce((sum, bits) => sum + bits, bitsOf([...part.hypotheses, ...part.parameters])),
    // What other results of the project show was not tried here: these numbers only have to agree.
    margin: isKnown ? 0 : chanceBits + Math.log2(Math.max(1, tried)),
  };
}

/**
 * Whether each of several conventions is shown by what the others do not give: by more than the choice among its
 * alternatives. Otherwise the counts that a true convention gives would carry what only a few coarse numbers speak for.
 */
export function isEachPartShown(
  target: Target,
  result: SearchResult,
  { hypotheses, ...candidate }: Candidate,
): boolean {
  if (hypotheses.length < 2) return true;
  return hypotheses.every((part) => {
    if (result.stated.includes(part) || isShared(result, part)) return true;
    const rest = hypotheses.filter((h) => h !== part);
    const scenario = rest.reduce((own, { set }) => patched(own, set), result.own.scenario);
    const table = result.evaluator.table(target.kind, scenario);
    const fit = fitOf(target, table, scenario.rounding);
    const base = { hypotheses: rest, parameters: [], scenario, table, fit, nameBits: 0 };
    const whole = { ...candidate, hypotheses };
    const { evidence, margin } = weigh(target, result, whole, { hypotheses: [part], parameters: [] }, base);
    return evidence >= margin - chanceBits;
  });
}

/**
 * Bits to state a wrong number: its item, and one of the values within the spread of its field, less those to state it
 * under any of the `tables`. What is far from all of them is wrong whatever is supposed, and naming its item is enough.
 */
function bitsOfMiss(target: Target, widths: Float64Array, i: number, tables: readonly Table[]): number {
  const { cells, bits, itemBits } = target;
  const { field, published } = cells[i] as Target["cells"][number];
  const column = cells.filter((cell) => cell.field === field).map((cell) => cell.published.value);
  const span = column.length > 1 ? Math.max(...column) - Math.min(...column) : Math.abs(published.value);
  const width = widths[i]!;
  const stated = tables.map((table) => bitsWithin(published.value - modelOf(target, table)[i]!, width));
  const known = stated.length > 0 && stated.every(Number.isFinite) ? Math.min(...stated) : 0;
  return itemBits + Math.max(0, Math.min(bits[i]!, Math.log2(1 + span / width)) - known);
}

/** Sampling errors, or how far a candidate is from the numbers of a field, if it misses several and that is less. */
function errorsOf(target: Target, evaluator: Evaluator, { scenario, table, fit }: Candidate): Record<string, number> {
  const errors = { ...samplingErrors(target.kind, evaluator, scenario) };
  const model = modelOf(target, table);
  const missed = fit.misses.map((i) => target.cells[i]?.field ?? "");
  // A single miss is a wrong number, and no scatter.
  for (const name of new Set(missed.filter((one, at) => missed.indexOf(one) !== at))) {
    const scatter = target.cells.map(({ field, published }, i) => (field === name ? published.value - model[i]! : NaN));
    errors[name] = Math.min(errors[name] ?? Infinity, rootMeanSquare(scatter));
  }
  return errors;
}

/**
 * Whether what a candidate misses is wrong, not near. A number off by less than one unit of its last digit is not wrong:
 * another statistic comes that near. Nor are several within the sampling error of what is fitted: a curve is that near its line.
 */
export function missesOnlyWrong(target: Target, result: SearchResult, candidate: Candidate): boolean {
  const { hypotheses, scenario, table, fit, parameters } = candidate;
  const isFitted = parameters.some((p) => !isInUse(target.kind, p));
  if (parameters.length === 0 && hypotheses.every((h) => result.stated.includes(h))) return true;
  const errors = isFitted && fit.misses.length > 1 ? samplingErrors(target.kind, result.evaluator, scenario) : {};
  const model = modelOf(target, table);
  return fit.misses.every((i) => {
    const { field, published } = target.cells[i] as Target["cells"][number];
    const off = Math.abs(published.value - model[i]!);
    return !(off < 2 * target.halfWidth[i]!) && !(off <= (errors[field] ?? 0));
  });
}

/** Whether a convention is known from other results of the project. */
export const isShared = ({ shared }: Pick<SearchResult, "shared">, { name }: { readonly name: string }): boolean =>
  shared?.parts.some((part) => part.name === name) === true;

const levels: ReadonlySet<string> = new Set(["shift", "start", "anchor"]);

/** Whether a candidate supposes that every number moves by just one amount (truncation does too), or by just one factor. */
function supposedBy(own: Candidate, { parameters, scenario }: Candidate): Supposed {
  const { rounding, relative, rescaled } = scenario;
  const isMoved = rounding !== own.scenario.rounding || relative?.as === "difference";
  const isMapped = rescaled !== null && parameters.length === 0;
  return {
    shift: isMoved || isMapped || parameters.some(({ name }) => levels.has(name)),
    factor: isMapped || relative?.as === "percent" || parameters.some(({ name }) => name === "scale"),
  };
}
