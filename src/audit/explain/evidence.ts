import { metricKind } from "../../metrics/index.js";
import type { Evaluator, Scenario } from "../evaluate/index.js";
import { maxOutliers, modelOf, type Target } from "../target/index.js";
import { sizeOf, type Candidate } from "./search/candidate.js";
import type { SearchResult } from "./search/search.js";

/** What an explanation has to outweigh: `evidence` must be at least `cost` + `margin`. In bits. */
export interface EvidenceBits {
  /** Carried by the numbers that differ from the run's own conventions and that it reproduces. */
  readonly evidence: number;
  /** Of everything that is supposed, and of the numbers that it does not reproduce. */
  readonly cost: number;
  readonly margin: number;
}

/** Bits against chance beyond those for the number of candidates: 1 in 2. */
const chanceBits = 1;
/** Maximum bits of one number: doubles that agree to more bits are not better evidence. */
const maxBits = 40;

/**
 * What speaks for a candidate and what it has to outweigh. The margin grows with the candidates tried: those that
 * suppose no more and that the agreeing numbers do not rule out. What the published options state was not tried for.
 */
export function weigh(target: Target, result: SearchResult, candidate: Candidate): EvidenceBits {
  const { own, candidates, stated, evaluator } = result;
  const differing = new Set(own.fit.misses);
  const allowed = maxOutliers(differing.size);
  const isPossible = (c: Candidate): boolean =>
    sizeOf(c) <= sizeOf(candidate) && c.fit.misses.filter((i) => !differing.has(i)).length <= allowed;
  const isStated = candidate.parameters.length === 0 && candidate.hypotheses.every((h) => stated.includes(h));
  const tried = isStated ? 1 : candidates.filter(isPossible).length;
  const widths = widthsOf(target, evaluator, candidate);
  const missed = candidate.fit.misses.map((i) => bitsOfMiss(target, widths, i));
  return {
    evidence: evidenceOf(target, widths, own, candidate),
    cost: missed.reduce((sum, bits) => sum + bits, candidate.nameBits),
    margin: chanceBits + Math.log2(Math.max(1, tried)),
  };
}

/** The smallest difference between two numbers that a candidate could give, as published. */
function widthsOf({ kind, cells, halfWidth }: Target, evaluator: Evaluator, candidate: Candidate): Float64Array {
  const { scenario, table } = candidate;
  const grains = grainsOf(kind, evaluator, scenario);
  const index = new Map(table.items.map((item, i) => [item, i]));
  const scale = Math.abs(scenario.rescaled?.scale ?? 1);
  return Float64Array.from(cells, ({ item, field }, i) =>
    Math.max(2 * (halfWidth[i] as number), scale * (grains[field]?.[index.get(item) ?? -1] ?? 0)),
  );
}

function grainsOf(kind: Target["kind"], evaluator: Evaluator, scenario: Scenario): Record<string, Float64Array> {
  return metricKind(kind).grain?.(evaluator.sample(scenario), scenario.conventions) ?? {};
}

/** Bits to state a wrong number: its item, and one of the values within the spread of its field. */
function bitsOfMiss({ cells, bits, itemBits }: Target, widths: Float64Array, i: number): number {
  const { field, published } = cells[i] as Target["cells"][number];
  const column = cells.filter((cell) => cell.field === field).map((cell) => cell.published.value);
  const span = column.length > 1 ? Math.max(...column) - Math.min(...column) : Math.abs(published.value);
  return itemBits + Math.min(bits[i] as number, Math.log2(1 + span / (widths[i] as number)));
}

/** One number that differs from the run's own and that a candidate reproduces. */
interface Gain {
  readonly own: number;
  readonly published: number;
  /** The smallest difference that the number can show. */
  readonly width: number;
}

/**
 * The bits of the numbers that differ from the run's own conventions and that a candidate reproduces. A number carries
 * log2(1 + 2 d / w): one of the values within its difference d, told apart to its resolution w. Numbers of a field that
 * have something in common (one value, one difference, one factor, a line) carry the bits of that and of what it
 * leaves, unless the candidate supposes just that. A number that follows from other such numbers of its item carries
 * nothing.
 */
function evidenceOf(target: Target, widths: Float64Array, own: Candidate, candidate: Candidate): number {
  const { cells, kind } = target;
  const model = modelOf(target, own.table);
  const missed = new Set(candidate.fit.misses);
  const gained = own.fit.misses.filter((i) => !missed.has(i));
  const keyOf = (item: string, field: string): string => JSON.stringify([item, field]);
  const differs = new Set(gained.map((i) => keyOf(cells[i]?.item ?? "", cells[i]?.field ?? "")));
  const { follows = {} } = metricKind(kind);
  const fields = new Map<string, Gain[]>();
  let bits = 0;
  for (const i of gained) {
    const { item, field, published } = cells[i] as Target["cells"][number];
    if ((follows[field] ?? []).some((source) => differs.has(keyOf(item, source)))) continue;
    const gain = { own: model[i] as number, published: published.value, width: widths[i] as number };
    if (Number.isFinite(gain.own)) fields.set(field, [...(fields.get(field) ?? []), gain]);
    else bits += bitsWithin(gain.published, gain.width);
  }
  for (const gains of fields.values()) bits += bitsOf(gains, suppositions(own, candidate));
  return bits;
}

/** Bits to state one of the values within `difference`; none within the resolution. */
const bitsWithin = (difference: number, width: number): number =>
  Math.abs(difference) <= width / 2 ? 0 : Math.min(maxBits, Math.log2(1 + (2 * Math.abs(difference)) / width));

const levels: ReadonlySet<string> = new Set(["shift", "start", "anchor"]);

/** Whether a candidate supposes that every number moves by one amount (truncation does too), or by one factor. */
function suppositions(own: Candidate, { parameters, scenario }: Candidate): { shift: boolean; factor: boolean } {
  return {
    shift: scenario.rounding !== own.scenario.rounding || parameters.some(({ name }) => levels.has(name)),
    factor: parameters.some(({ name }) => name === "scale"),
  };
}

const sumOf = (gains: readonly Gain[], of: (gain: Gain) => number): number =>
  gains.reduce((sum, gain) => sum + of(gain), 0);

/** The fewest bits that state the numbers of one field: each by itself, or by what they have in common. */
function bitsOf(gains: readonly Gain[], { shift, factor }: { shift: boolean; factor: boolean }): number {
  const count = gains.length;
  const most = (of: (gain: Gain) => number): number => Math.max(...gains.map((g) => bitsWithin(of(g), g.width)));
  const rest = (of: (gain: Gain) => number): number => sumOf(gains, (g) => bitsWithin(of(g), g.width));
  const difference = (g: Gain): number => g.published - g.own;
  /** Bits of an amount or factor that `count` numbers determine to their resolution. */
  const common = most(difference) + Math.log2(count);
  const [centre, mean] = [sumOf(gains, (g) => g.own) / count, sumOf(gains, (g) => g.published) / count];
  const ratio = sumOf(gains, (g) => g.own * g.published) / sumOf(gains, (g) => g.own ** 2);
  const square = sumOf(gains, (g) => (g.own - centre) ** 2);
  const slope = square > 0 ? sumOf(gains, (g) => (g.own - centre) * (g.published - mean)) / square : 1;
  return Math.min(
    rest(difference),
    most(() => mean) + rest((g) => g.published - mean),
    shift ? Infinity : common + rest((g) => difference(g) - (mean - centre)),
    factor ? Infinity : common + rest((g) => g.published - ratio * g.own),
    shift || factor ? Infinity : 2 * common + rest((g) => g.published - mean - slope * (g.own - centre)),
  );
}
