import type { RaterPairCounts } from "../../src/metrics/pair-counts.js";

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
