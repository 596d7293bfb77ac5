/** Published ranks beside those that scores give. */
import { type Table, mainField, metricKind } from "../../metrics/index.js";
import type { Direction } from "./scales.js";
import { type ComparedNumber, isApart, numberOf } from "../result.js";
import type { Target } from "./target.js";
import { equalAt, numericNoise, unrounded } from "../read/precision.js";
import { groupsOf, sumOf } from "../../platform/index.js";

export interface RankedResult {
  readonly target: Target;
  readonly values: Table;
}

/**
 * Compares ranks with the scores published with them, otherwise with the recomputed ones, in the
 * direction of the scale. Where that is unknown, they may follow in either, but all in one.
 * @param results of one scale
 */
export function compareRanks(
  results: readonly RankedResult[],
  direction: Direction,
): ComparedNumber[] {
  const ranksIn = (isLower: boolean): ComparedNumber[] =>
    results.flatMap((result) =>
      ranksOf(result, isLower && metricKind(result.target.kind).direction === "either"),
    );
  if (direction !== null) return ranksIn(direction === "lower");
  const [falling, rising] = [ranksIn(false), ranksIn(true)];
  const wrong = (ranks: readonly ComparedNumber[]): number => ranks.filter(isApart).length;
  return wrong(rising) < wrong(falling) ? rising : falling;
}

function ranksOf({ target, values }: RankedResult, isRising: boolean): ComparedNumber[] {
  const { group, kind } = target;
  const main = mainField(kind);
  const precision = group.precision[main] ?? unrounded;
  const published = new Map(
    group.cells.flatMap((cell) =>
      cell.field === main ? [[cell.item, cell.published.value] as const] : [],
    ),
  );
  const column = values.columns[main] ?? new Float64Array();
  const recomputed = new Map(
    values.items.flatMap((item, i) =>
      Number.isNaN(column[i] ?? NaN) ? [] : [[item, column[i]!] as const],
    ),
  );
  const areScored = published.size > 0;
  const scores = areScored ? published : recomputed;
  // Published scores that are equal only as rounded are in the order of the recomputed ones.
  const exact = [...recomputed].filter(([item, value]) =>
    equalAt(published.get(item) ?? NaN, value, precision),
  );
  const judged = judgeRanks(group.ranks, scores, {
    isPartial: group.isPartial,
    isRising: isRising !== (areScored && isTurned(published, recomputed)),
    exact: new Map(exact),
  });
  const whose = areScored ? "scores published with it" : "recomputed scores";
  const note = `the rank contradicts the ${whose}`;
  const compared = judged.map(({ item, rank, follows }) =>
    numberOf(group, {
      item,
      field: "rank",
      published: rank,
      recomputed: follows,
      difference: rank - follows,
      tolerance: 0,
      nearness: rank === follows ? "equal" : "apart",
      note: rank === follows ? undefined : note,
      contrary: group.misnamed.get(item),
    }),
  );
  const obstacle = `ranked, but has no ${areScored ? "published score" : "counted ratings"}`;
  const unscored = group.ranks.filter(({ item }) => !scores.has(item));
  return [
    ...compared,
    ...unscored.map(({ item, rank }) =>
      numberOf(group, { item, field: "rank", published: rank, obstacle }),
    ),
  ];
}

/** Whether the recomputed numbers fall where the published ones rise. */
function isTurned(
  published: ReadonlyMap<string, number>,
  recomputed: ReadonlyMap<string, number>,
): boolean {
  const items = [...published.keys()].filter((item) => recomputed.has(item));
  const [xs, ys] = [published, recomputed].map((numbers) => {
    const values = items.map((item) => numbers.get(item)!);
    const mean = sumOf(values) / values.length;
    return values.map((value) => value - mean);
  }) as [number[], number[]];
  return sumOf(xs.map((x, i) => x * ys[i]!)) < 0;
}

type Ranks = readonly { readonly item: string; readonly rank: number }[];

interface RankedItem {
  readonly item: string;
  readonly rank: number;
  readonly score: number;
  readonly exact: number;
  /** Of equal scores, those whose exact ones are better. */
  better: number;
  follows: number;
}

/**
 * Compares ranks with `scores` (item to score). Ties share a rank, or divide it in the order of
 * `exact`; the next rank follows or skips the tied; ranks start at 0 or 1. `isPartial`: gaps are
 * allowed.
 */
export function judgeRanks(
  ranks: Ranks,
  scores: ReadonlyMap<string, number>,
  {
    isPartial = false,
    isRising = false,
    exact = new Map<string, number>(),
  }: { isPartial?: boolean; isRising?: boolean; exact?: ReadonlyMap<string, number> } = {},
): { readonly item: string; readonly rank: number; readonly follows: number }[] {
  const sign = isRising ? -1 : 1;
  const ranked = ranks
    .filter(({ item }) => scores.has(item))
    .map(({ item, rank }): RankedItem => {
      const score = sign * scores.get(item)!;
      return {
        item,
        rank,
        score,
        exact: sign * (exact.get(item) ?? NaN),
        better: 0,
        follows: rank,
      };
    });
  const base = ranked.some(({ rank }) => rank < 1) ? 0 : 1;
  const levels = [...groupsOf(ranked, ({ score }) => String(score)).values()];
  levels.sort(([a], [b]) => b.score - a.score);
  let above = 0;
  let last = -Infinity;
  let isOrdered = true;
  for (const [distinct, level] of levels.entries()) {
    const isTurned = isTurnedIn(level);
    for (const tied of level) {
      const { rank, better } = tied;
      const isWithin = rank >= base + distinct && rank < base + above + level.length;
      if (isTurned || !isWithin) tied.follows = base + above + better;
      isOrdered &&= rank > last;
    }
    last = level.reduce((most, { rank }) => Math.max(most, rank), last);
    above += level.length;
  }
  return ranked.map(({ item, rank, follows }) => ({
    item,
    rank,
    follows: isPartial && isOrdered ? rank : follows,
  }));
}

/** Whether equal scores have ranks against the order of the exact ones, where these are known. */
function isTurnedIn(level: readonly RankedItem[]): boolean {
  const known = level.filter(({ exact }) => !Number.isNaN(exact));
  known.sort((a, b) => b.exact - a.exact);
  const isBetter = (a: RankedItem, b: RankedItem): boolean =>
    a.exact - b.exact > numericNoise * Math.max(1, Math.abs(a.exact));
  let better = 0;
  let highest = -Infinity;
  let isTurned = false;
  for (const tied of known) {
    for (; isBetter(known[better]!, tied); better++)
      highest = Math.max(highest, known[better]!.rank);
    tied.better = better;
    isTurned ||= highest > tied.rank;
  }
  return isTurned;
}
