import { raterPairCountsOf, type RaterPairCounts } from "../../src/metrics/pair-counts.js";

type Pair = readonly [a: number, b: number, winsA: number, winsB: number, ties?: number];

/** Pair counts of one rater. */
export function pairs(items: number, list: readonly Pair[]): RaterPairCounts {
  return {
    items,
    raters: 1,
    rater: new Int32Array(list.length),
    a: Int32Array.from(list, ([a]) => a),
    b: Int32Array.from(list, ([, b]) => b),
    winsA: Float64Array.from(list, ([, , wins]) => wins),
    winsB: Float64Array.from(list, ([, , , wins]) => wins),
    ties: Float64Array.from(list, ([, , , , ties]) => ties ?? 0),
  };
}

export interface Game {
  readonly a: number;
  readonly b: number;
  /** 1 if a won, 0 if they tied, otherwise -1. */
  readonly outcome: number;
  readonly rater?: number;
  readonly session?: number;
}

/** Games as columns. */
export const columnsOf = (games: readonly Game[]) => ({
  a: Int32Array.from(games, ({ a }) => a),
  b: Int32Array.from(games, ({ b }) => b),
  outcome: Int8Array.from(games, ({ outcome }) => outcome),
  rater: Int32Array.from(games, ({ rater = 0 }) => rater),
  session: Int32Array.from(games, ({ session = 0 }) => session),
});

/** Pair counts of several raters. */
export const raterCounts = (
  items: number,
  raters: number,
  games: readonly Game[],
): RaterPairCounts => raterPairCountsOf(items, raters, columnsOf(games));
