/** How much speaks for a candidate, and what it has to outweigh, in bits. */
import { isCount, isHalfWidth, mainField, type Table } from "../../metrics/index.js";
import type { Evaluator } from "../recompute/evaluator.js";
import {
  bitsWithin,
  carriedBits,
  log2Choose,
  rootMeanSquare,
  samplingErrors,
  widthsOf,
  type Supposed,
} from "./evidence.js";
import { sumOf } from "../../platform/index.js";
import { rangesOf } from "../read/cells.js";
import { populationKey } from "../recompute/population.js";
import { fitOf, maxOutliers, modelOf, noiseOf, roomOf, type Target } from "../compare/target.js";
import type { Hypothesis } from "../recompute/hypotheses.js";
import { scenarioUnder, sizeOf, type Candidate, type SearchResult } from "./search.js";
import { inUnit, isScale, medianOf, stands, sure } from "../compare/unit.js";

export interface EvidenceBits {
  readonly evidence: number;
  readonly cost: number;
  readonly margin: number;
}

/** Bits against chance beyond those for the number of candidates: 1 in 4. */
export const chanceBits = 2;

export function weigh(result: SearchResult, candidate: Candidate): EvidenceBits {
  const { stated, shared } = result;
  const { of: target, hypotheses, fit, nameBits, unit } = candidate;
  if (unit !== null && hypotheses.every(isScale)) {
    const isKnown = hypotheses.every((h) => stated.includes(h) || isShared(result, h));
    return { evidence: Math.max(0, -unit.chance), cost: 0, margin: isKnown ? 0 : -sure };
  }
  const own = besideOf(result, candidate);
  const isAmong = (known: readonly Hypothesis[]): boolean =>
    hypotheses.every(({ name }) => known.some((h) => h.name === name));
  const known = shared?.parts ?? [];
  const bitsOfMiss = missBitsIn(target, widthsBeside(result, candidate, own), [
    own.table(),
    candidate.table(),
  ]);
  const isGiven = isAmong([...stated, ...known]) || isAmong(hypotheses.filter(isOfItself));
  const cost = nameBits + sumOf(fit.misses.map(bitsOfMiss));
  const direct = stepFrom(result, candidate, own);
  // Known from other results, not tried here: these numbers only have to agree.
  const marginOf = ({ choice }: Step): number =>
    isAmong(known) ? 0 : chanceBits + (isGiven ? 0 : choice);
  const isEnough = (step: Step): boolean => step.evidence >= cost + marginOf(step);
  const steps =
    isEnough(direct) || isGiven ? [direct] : [direct, ...stepsTo(result, candidate, own)];
  const shown = steps.find(isEnough) ?? direct;
  return { evidence: shown.evidence, cost, margin: marginOf(shown) };
}

interface Step {
  readonly evidence: number;
  readonly choice: number;
}

/**
 * To what the other parts give, then to what each adds to these: an end that follows from a value
 * tells nothing beside it, but tells its formula.
 */
const stepsTo = (result: SearchResult, candidate: Candidate, own: Candidate): Step[] =>
  partsOf(candidate).map((part) => {
    const rest = withoutPart(result, candidate, part);
    const last = stepFrom(result, candidate, rest);
    const first = stepFrom(result, rest, own);
    return {
      evidence: first.evidence + last.evidence,
      choice: first.choice + chanceBits + last.choice,
    };
  });

const stepFrom = (result: SearchResult, candidate: Candidate, beside: Candidate): Step => ({
  evidence: evidenceBeside(result, candidate, beside),
  choice: bitsOfChoice(result, candidate, beside),
});

/** All but the unit, which no part is weighed without. */
const partsOf = ({ hypotheses }: Candidate): Hypothesis[] => hypotheses.filter((h) => !isScale(h));

const withoutPart = (result: SearchResult, candidate: Candidate, part: Hypothesis): Candidate =>
  inUnitOf(
    result,
    candidate,
    candidate.hypotheses.filter((h) => h !== part),
  );

/**
 * The run's own conventions in the unit of a candidate. A fit that stopped early is near those of
 * others, and tells itself from chance by its unit alone.
 */
const besideOf = (result: SearchResult, candidate: Candidate): Candidate =>
  candidate.unit === null || candidate.table().stopped !== undefined
    ? result.own
    : inUnitOf(result, candidate, []);

function inUnitOf(
  { evaluator, own: base }: SearchResult,
  { of: target, unit: own }: Candidate,
  hypotheses: readonly Hypothesis[],
): Candidate {
  const bare = scenarioUnder(
    { ...base.scenario, ...(own && { relative: null, rescaled: null }) },
    hypotheses,
  );
  const { unit, scenario } = inUnit(target, evaluator, bare, hypotheses, { only: own?.unit });
  const table = (): Table => evaluator.table(target.kind, scenario, target.hasEnds);
  const fit = fitOf(target, table(), scenario.rounding);
  return { hypotheses, unit, scenario, table, isVague: false, of: target, fit, nameBits: 0 };
}

/**
 * Whether the unit of ratings is no accident, nor what agrees in it: a wrong convention moves the
 * numbers by a tenth of the sampling error, or by half of what the run's own leaves.
 */
export function isBelieved(result: SearchResult, candidate: Candidate): boolean {
  const { of, unit, scenario, hypotheses } = candidate;
  if (unit === null) return true;
  const isKnown = (h: Hypothesis): boolean => result.stated.includes(h) || isShared(result, h);
  const isUnitKnown = hypotheses.some((h) => isScale(h) && isKnown(h));
  const { unit: beside } = besideOf(result, candidate);
  const isGained = (): boolean =>
    beside!.off.some((by, i) => Math.abs(by) > unit.room !== Math.abs(unit.off[i]!) > unit.room);
  if (partsOf(candidate).every(isKnown) || beside === null || !isGained())
    return stands(unit, isUnitKnown);
  const errors = samplingErrors(of.kind, result.evaluator, scenario);
  const scatter = 1.4826 * medianOf(beside.off.map(Math.abs));
  const moved = Math.max(0.1 * (errors[mainField(of.kind)] ?? 0), 0.5 * scatter);
  const share = unit.room / (unit.room + moved);
  return stands(unit, isUnitKnown, share, Math.log2(result.candidates.length));
}

/** Votes of an item against itself: someone had to choose, and which items is known before. */
const isOfItself = ({ axis }: Hypothesis): boolean => axis === "itself";

const isOther = (candidate: Candidate, beside: Candidate): boolean =>
  populationKey(candidate.scenario.population) !== populationKey(beside.scenario.population);

const widthsBeside = (
  { evaluator }: SearchResult,
  candidate: Candidate,
  beside: Candidate,
): Float64Array =>
  widthsOf(
    candidate.of,
    evaluator,
    candidate.scenario,
    candidate.table(),
    isOther(candidate, beside),
  );

function evidenceBeside(
  result: SearchResult,
  candidate: Candidate,
  beside: Candidate,
  errors: Readonly<Record<string, number>> = {},
): number {
  const { of: target } = candidate;
  const misses = new Set(candidate.fit.misses);
  const isEvidence = (i: number): boolean =>
    isOther(candidate, beside) || !isCount(target.kind, target.cells[i]?.field ?? "");
  const gained = beside.fit.misses.filter((i) => !misses.has(i) && isEvidence(i));
  const widths = widthsBeside(result, candidate, beside);
  const sds = noiseOf(target, candidate.table());
  const drawn = gained.filter((i) => sds[i]! > 0);
  const carried = carriedBits(
    target,
    beside.table(),
    widths,
    gained.filter((i) => sds[i] === 0),
    supposedBy(beside, candidate),
    errors,
  );
  const sure = carried + drawnBits(candidate, drawn);
  if (!candidate.hypotheses.some(isOfItself)) return sure;
  const items = new Set(gained.map((i) => target.cells[i]!.item));
  return sure + log2Choose(2 ** target.itemBits, items.size);
}

/** How much nearer draws come to each interval's number than its middle, in bits. */
function drawnBits({ of: target, table: tableOf }: Candidate, drawn: readonly number[]): number {
  const { cells, halfWidth, kind } = target;
  const table = tableOf();
  const own = modelOf(target, table);
  const centres = modelOf(target, table, mainField(kind));
  const sds = noiseOf(target, table);
  const bits = drawn.map((i) => {
    const half = isHalfWidth(kind, cells[i]!.field) ? own[i]! : own[i]! - centres[i]!;
    return Math.log2(1 + (2 * Math.abs(half)) / (2 * halfWidth[i]! + normalRange * sds[i]!));
  });
  return sumOf(bits);
}

/** Standard errors whose uniform range has the entropy of a normal: √(2πe). */
const normalRange = Math.sqrt(2 * Math.PI * Math.E);

const mapsItems = (one: Hypothesis): boolean =>
  ["relative", "scale", "unit"].includes(one.axis) && !isScale(one);

/**
 * Bits for the project's sum: at most what the numbers tell beyond the sampling error, as a similar
 * statistic comes near in every result. A map of all numbers pays for itself.
 */
export function bitsForPool(result: SearchResult, candidate: Candidate): number {
  const { evidence, cost } = weigh(result, candidate);
  const { hypotheses } = candidate;
  const errors = errorsOf(result.evaluator, candidate);
  const beyond = hypotheses
    .filter(mapsItems)
    .reduce(
      (sum, { bits }) => sum + bits,
      evidenceBeside(result, candidate, besideOf(result, candidate), errors) +
        (hypotheses.some(isScale) ? Math.max(0, -candidate.unit!.chance) : 0),
    );
  const isStated = hypotheses.every((h) => result.stated.includes(h));
  return (isStated ? evidence : Math.min(evidence, beyond)) - (cost - candidate.nameBits);
}

function errorsOf(
  evaluator: Evaluator,
  { of: target, scenario, table, fit }: Candidate,
): Record<string, number> {
  const errors = { ...samplingErrors(target.kind, evaluator, scenario) };
  const model = modelOf(target, table());
  const missed = fit.misses.map((i) => target.cells[i]?.field ?? "");
  // A single miss is a wrong number, and no scatter.
  for (const name of new Set(missed.filter((one, at) => missed.indexOf(one) !== at))) {
    const scatter = target.cells.map(({ field, published }, i) =>
      field === name ? published.value - model[i]! : NaN,
    );
    errors[name] = Math.min(errors[name] ?? Infinity, rootMeanSquare(scatter));
  }
  return errors;
}

/** Choice among candidates that suppose no more, and `beside`, not ruled out by agreement. */
function bitsOfChoice(
  { candidates }: SearchResult,
  candidate: Candidate,
  beside: Candidate,
): number {
  const differing = new Set(beside.fit.misses);
  const allowed = maxOutliers(differing.size);
  const isPossible = (c: Candidate): boolean =>
    sizeOf(c) <= sizeOf(candidate) &&
    beside.hypotheses.every(({ name }) => c.hypotheses.some((h) => h.name === name)) &&
    c.fit.misses.filter((i) => !differing.has(i)).length <= allowed;
  return Math.log2(Math.max(1, candidates.filter(isPossible).length));
}

/**
 * Whether each convention is shown by what the others do not give, beyond the choice of it: else
 * the counts of a true one would carry a chance one.
 */
export function isEachPartShown(result: SearchResult, candidate: Candidate): boolean {
  if (sizeOf(candidate) < 2) return true;
  return partsOf(candidate).every((part) => {
    if (result.stated.includes(part) || isShared(result, part)) return true;
    const rest = withoutPart(result, candidate, part);
    const { evidence, choice } = stepFrom(result, candidate, rest);
    return evidence >= choice;
  });
}

/**
 * Item and value within the field's spread, less the same under any of `tables`: what is far from
 * all is wrong whatever is supposed, and naming its item is enough.
 */
function missBitsIn(
  target: Target,
  widths: Float64Array,
  tables: readonly Table[],
): (i: number) => number {
  const { cells, bits, itemBits } = target;
  const models = tables.map((table) => modelOf(target, table));
  const ranges = rangesOf(cells);
  return (i) => {
    const { field, published } = cells[i]!;
    const { low, high, numbers } = ranges.get(field)!;
    const width = widths[i]!;
    const stated = models.map((model) => bitsWithin(published.value - model[i]!, width));
    const known = stated.every(Number.isFinite) ? Math.min(...stated) : 0;
    const span = numbers > 1 ? high - low : Math.abs(low);
    return itemBits + Math.max(0, Math.min(bits[i]!, Math.log2(1 + span / width)) - known);
  };
}

/**
 * False for near misses (below one unit of the last digit, or within twice the room of a stop):
 * another statistic comes that near. Draws are never tried, only given.
 */
export function missesOnlyWrong(
  { stated }: SearchResult,
  { of: target, hypotheses, table: tableOf, fit }: Candidate,
): boolean {
  if (hypotheses.every((h) => stated.includes(h))) return true;
  const table = tableOf();
  const model = modelOf(target, table);
  const rooms = roomOf(target, table);
  const sds = noiseOf(target, table);
  return fit.misses.every((i) => {
    const off = Math.abs(target.cells[i]!.published.value - model[i]!);
    return sds[i]! > 0 || off >= 2 * (target.halfWidth[i]! + rooms[i]!);
  });
}

export const isShared = (
  { shared }: Pick<SearchResult, "shared">,
  { name }: { readonly name: string },
): boolean => shared?.parts.some((part) => part.name === name) === true;

/** Whether it moves every number by one amount (truncation too) or one factor. */
function supposedBy(own: Candidate, { scenario }: Candidate): Supposed {
  const { rounding, relative, rescaled } = scenario;
  const isMoved = rounding !== own.scenario.rounding || relative?.as === "difference";
  const isMapped = rescaled !== null && rescaled.scale !== own.scenario.rescaled?.scale;
  return {
    shift: isMoved || isMapped,
    factor: isMapped || relative?.as === "percent",
  };
}
