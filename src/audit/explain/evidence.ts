/** What published numbers show: bits, resolution and sampling error. */
import { metricKind } from "../../metrics/index.js";
import { patched } from "../recompute/scenario.js";
import type { Evaluator } from "../recompute/evaluator.js";
import type { Candidate } from "./search.js";
import { selectRatings, type Population } from "../recompute/population.js";
import { cachedBy, groupsOf, keyOf, sumOf } from "../../platform/index.js";
import { maxBits, modelOf, roomOf, rowsOf, type Target } from "../compare/target.js";
import { rowByItem } from "../result.js";

export interface Supposed {
  readonly shift: boolean;
  readonly factor: boolean;
}

/** The numbers of a target under a scenario. */
export type UnderScenario = Pick<Candidate, "of" | "evaluator" | "scenario" | "table" | "fit">;

/**
 * The smallest visible difference between two numbers.
 * @param isOther other ratings may count than under the conventions compared with
 */
export function widthsOf(candidate: UnderScenario, isOther: boolean): Float64Array {
  const { of: target, evaluator, scenario } = candidate;
  const { kind, cells, halfWidth } = target;
  const table = candidate.table();
  const rooms = roomOf(target, table);
  const share = table.stopped ? shareOfReach(target, modelOf(target, table), rooms) : 1;
  const grains =
    metricKind(kind).grain?.(evaluator.sample(scenario), scenario.conventions, isOther) ?? {};
  const rows = rowsOf(cells)(table.items);
  const scale = Math.abs(scenario.rescaled?.scale ?? 1);
  return Float64Array.from(cells, ({ field }, i) => {
    const grain = scale * (grains[field]?.[rows[i]!] ?? 0);
    const step = Math.max(grain, 2 * share * rooms[i]!);
    const width = 2 * halfWidth[i]!;
    return Number.isFinite(step) ? Math.max(width, step) : width;
  });
}

/** How early an iteration stopped: the largest share of its reach at which it gives a number. */
function shareOfReach({ cells, halfWidth }: Target, model: Float64Array, rooms: Float64Array) {
  return model.reduce((most, own, i) => {
    const off = Math.abs(cells[i]!.published.value - own);
    const share = off <= halfWidth[i]! + rooms[i]! ? off / rooms[i]! : 0;
    return rooms[i]! > 0 ? Math.max(most, share) : most;
  }, 0);
}

const halfOf = cachedBy(({ ratings }: Evaluator, population: Population) => {
  const chosen = selectRatings(ratings, population);
  const counted = [...new Set(ratings.session.filter((_, i) => chosen[i] === 1))];
  const first_sessions = counted[Math.ceil(counted.length / 2)];
  return first_sessions === undefined ? { every_second: true as const } : { first_sessions };
});

/** Sampling error by field: the change if half of the sessions (or slates of one) count. */
export function samplingErrors({
  of,
  evaluator,
  scenario,
}: UnderScenario): Readonly<Record<string, number>> {
  const { kind } = of;
  const population = halfOf(evaluator, scenario.population);
  const half = evaluator.table(kind, patched(scenario, { population }), false);
  const whole = evaluator.table(kind, scenario, false);
  const at = rowByItem(half.items);
  return Object.fromEntries(
    Object.entries(whole.columns).map(([field, column]) => {
      const other = (item: string): number => half.columns[field]?.[at.get(item) ?? -1] ?? NaN;
      return [field, rootMeanSquare(whole.items.map((item, i) => column[i]! - other(item)))];
    }),
  );
}

export function rootMeanSquare(differences: readonly number[]): number {
  const squares = differences.filter(Number.isFinite).map((d) => d ** 2);
  return squares.length === 0
    ? Infinity
    : Math.sqrt(squares.reduce((a, b) => a + b) / squares.length);
}

interface Gain {
  readonly field: string;
  readonly own: number;
  readonly published: number;
  readonly width: number;
  readonly error: number;
}

/**
 * log2(1 + 2 d / w) of a number at difference d and resolution w; what a field has in common counts
 * once, unless it is supposed. With `errors`, no more than tells statistics of the same ratings.
 */
export function carriedBits(
  { of: target, table }: Pick<UnderScenario, "of" | "table">,
  widths: Float64Array,
  gained: readonly number[],
  supposed: Supposed = { shift: false, factor: false },
  errors: Readonly<Record<string, number>> = {},
): number {
  const model = modelOf(target, table());
  const gains = tellingIn(target, gained).map((i): Gain => {
    const { field, published } = target.cells[i]!;
    const error = errors[field] ?? Infinity;
    return { field, own: model[i]!, published: published.value, width: widths[i]!, error };
  });
  const isKnown = ({ own }: Gain): boolean => Number.isFinite(own);
  const unknown = gains.filter((gain) => !isKnown(gain));
  return (
    gainSum(unknown, ({ published, width }) => bitsWithin(published, width)) +
    sumOf(
      [...groupsOf(gains.filter(isKnown), ({ field }) => field).values()].map((own) =>
        bitsOf(own, supposed),
      ),
    )
  );
}

export function tellingIn({ cells, kind }: Target, gained: readonly number[]): number[] {
  const differs = new Set(gained.map((i) => keyOf(cells[i]!.item, cells[i]!.field)));
  const { follows = {} } = metricKind(kind);
  return gained.filter((i) => {
    const { item, field } = cells[i]!;
    return follows[field]?.some((source) => differs.has(keyOf(item, source))) !== true;
  });
}

export const bitsWithin = (difference: number, width: number): number =>
  Math.abs(difference) <= width / 2
    ? 0
    : Math.min(maxBits, Math.log2(1 + (2 * Math.abs(difference)) / width));

const gainSum = (gains: readonly Gain[], of: (gain: Gain) => number): number =>
  gains.reduce((sum, gain) => sum + of(gain), 0);

/** The fewest bits: each number by itself, or by what they have in common. */
function bitsOf(gains: readonly Gain[], { shift, factor }: Supposed): number {
  const count = gains.length;
  const most = (of: (gain: Gain) => number): number =>
    gains.reduce((bits, g) => Math.max(bits, bitsWithin(of(g), g.width)), 0);
  const rest = (of: (gain: Gain) => number): number =>
    gainSum(gains, (g) => bitsWithin(of(g), g.width));
  const difference = (g: Gain): number => g.published - g.own;
  /** Bits of an amount or factor that `count` numbers determine to their resolution. */
  const common = most(difference) + Math.log2(count);
  const centre = gainSum(gains, (g) => g.own) / count;
  const mean = gainSum(gains, (g) => g.published) / count;
  const squares = gainSum(gains, (g) => g.own ** 2);
  const ratio = squares > 0 ? gainSum(gains, (g) => g.own * g.published) / squares : 1;
  const square = gainSum(gains, (g) => (g.own - centre) ** 2);
  const slope =
    square > 0 ? gainSum(gains, (g) => (g.own - centre) * (g.published - mean)) / square : 1;
  return Math.min(
    // The chance that a normal error leaves a number within its resolution.
    gainSum(gains, ({ error, width }) => Math.log2(1 + 2 * Math.PI * (error / width) ** 2) / 2),
    rest(difference),
    most(() => mean) + rest((g) => g.published - mean),
    shift ? Infinity : common + rest((g) => difference(g) - (mean - centre)),
    factor ? Infinity : common + rest((g) => g.published - ratio * g.own),
    shift || factor
      ? Infinity
      : 2 * common + rest((g) => g.published - mean - slope * (g.own - centre)),
  );
}
