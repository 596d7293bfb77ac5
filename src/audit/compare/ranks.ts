/** Published ranks beside those that scores give. */
import { type Table, mainField, metricKind } from "../../metrics/index.js";
import type { Direction } from "./scales.js";
import { type ComparedNumber, isApart, numberOf, tableNumber } from "../result.js";
import type { KindResult } from "./target.js";
import { equalAt, numericNoise, unrounded } from "../read/precision.js";
import { groupsOf, sumOf } from "../../platform/index.js";

export interface RankedResult extends KindResult {
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
      ranksOf(result, isLower && metricKind(result.kind).direction === "either"),
    );
  if (direction !== null) return ranksIn(direction === "lower");
  const [falling, rising] = [ranksIn(false), ranksIn(true)];
  const wrong = (ranks: readonly ComparedNumber[]): number => ranks.filter(isApart).length;
  return wrong(rising) < wrong(falling) ? rising : falling;
}

function ranksOf({ group, kind, values }: RankedResult, isRising: boolean): ComparedNumber[] {
  const field = mainField(kind);
  const precision = group.precision[field] ?? unrounded;
  const own = new Map(
    group.cells
      .filter((cell) => cell.field === field)
      .map((cell) => [cell.item, cell.published.value]),
  );
  const recomputed = new Map(
    values.items.flatMap((item) => {
      const value = tableNumber(values, item, field);
      return Number.isNaN(value) ? [] : [[item, value] as const];
    }),
  );
  const isOwn = own.size > 0;
  const scores = isOwn ? own : recomputed;
  // Published scores that are equal only as rounded are in the order of the recomputed ones.
  const exact = [...recomputed].filter(([item, value]) =>
    equalAt(own.get(item) ?? NaN, value, precision),
  );
  const judged = judgeRanks(group.ranks, scores, {
    isPartial: group.isPartial,
    isRising: isRising !== (isOwn && isTurned(own, recomputed)),
    exact: new Map(exact),
  });
  const whose = isOwn ? "scores published with it" : "recomputed scores";
  const compared = judged.map(({ item, rank, follows }) =>
    numberOf(group, {
      item,
      field: "rank",
      published: rank,
      recomputed: follows,
      difference: rank - follows,
      tolerance: 0,
      nearness: rank === follows ? "equal" : "apart",
      note: rank === follows ? undefined : `the rank contradicts the ${whose}`,
      contrary: group.misnamed.get(item),
    }),
  );
  const unscored = group.ranks.filter(({ item }) => !scores.has(item));
  const obstacle = `ranked, but has no ${isOwn ? "published score" : "counted ratings"}`;
  return [
    ...compared,
    ...unscored.map(({ item, rank }) =>
      numberOf(group, { item, field: "rank", published: rank, obstacle }),
    ),
  ];
}

function isTurned(own: ReadonlyMap<string, number>, recomputed: ReadonlyMap<string, number>) {
  const pairs = [...own].flatMap(([item, x]) => {
    const y = recomputed.get(item);
    return y === undefined ? [] : [[x, y] as const];
  });
  const middle = (side: 0 | 1) => sumOf(pairs.map((pair) => pair[side])) / pairs.length;
  const [meanX, meanY] = [middle(0), middle(1)];
  return sumOf(pairs.map(([x, y]) => (x - meanX) * (y - meanY))) < 0;
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
): JudgedRank[] {
  const sign = isRising ? -1 : 1;
  const ranked = ranks
    .filter(({ item }) => scores.has(item))
    .map(({ item, rank }) => ({
      item,
      rank,
      score: sign * scores.get(item)!,
      exact: sign * (exact.get(item) ?? NaN),
      better: 0,
    }));
  const base = ranked.some(({ rank }) => rank < 1) ? 0 : 1;
  const levels = [...groupsOf(ranked, ({ score }) => String(score)).values()];
  levels.sort(([a], [b]) => b.score - a.score);
  const judged = new Map<RankedItem, JudgedRank>();
  let above = 0;
  let last = -Infinity;
  let isOrdered = true;
  for (const [distinct, level] of levels.entries()) {
    const isTurned = isTurnedIn(level);
    for (const one of level) {
      const { item, rank, better } = one;
      const isWithin = rank >= base + distinct && rank < base + above + level.length;
      const follows = isWithin && !isTurned ? rank : base + above + better;
      judged.set(one, { item, rank, follows });
    }
    isOrdered &&= level.every(({ rank }) => rank > last);
    last = level.reduce((most, { rank }) => Math.max(most, rank), last);
    above += level.length;
  }
  return ranked.map((one) => {
    const { item, rank, follows } = judged.get(one)!;
    return { item, rank, follows: isPartial && isOrdered ? rank : follows };
  });
}

interface JudgedRank {
  readonly item: string;
  readonly rank: number;
  readonly follows: number;
}

export type Ranks = readonly { readonly item: string; readonly rank: number }[];

interface RankedItem {
  readonly rank: number;
  readonly exact: number;
  better: number;
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
  for (const one of known) {
    for (; isBetter(known[better]!, one); better++)
      highest = Math.max(highest, known[better]!.rank);
    one.better = better;
    isTurned ||= highest > one.rank;
  }
  return isTurned;
}
