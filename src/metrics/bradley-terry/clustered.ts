import type { RaterPairCounts } from "../pairs/rater-pair-counts.js";
import { pairState } from "./derivatives.js";

/** An item's cluster-robust variance from its row of the inverse information; NaN if fewer than two raters compared it. */
type VarianceOf = (item: number, row: Float64Array) => number;

/**
 * The sandwich with one score for each rater, the sum over that rater's comparisons (Liang and Zeger 1986), times
 * G / (G - 1) for G raters: valid if raters are independent of each other, however alike one rater's answers are.
 */
export function clusteredVariance(counts: RaterPairCounts, at: Float64Array): VarianceOf {
  const { items, a, b, winsA, winsB, ties, rater } = counts;
  const hasTie = at.length > items;
  const worth = new Float64Array(a.length);
  const tieScores = Array.from({ length: at.length - items }, () => new Float64Array(a.length));
  for (let p = 0; p < a.length; p++) {
    const { win, tie, slope, tieSlopes } = pairState(at, items, a[p] as number, b[p] as number);
    const [won, lost, tied] = [winsA[p] as number, winsB[p] as number, ties[p] as number];
    const surplus = tied - (won + lost + tied) * tie;
    const decided = won * (1 - win) - lost * win + (hasTie ? 0 : tied * (0.5 - win));
    worth[p] = decided + (hasTie ? surplus * slope : 0);
    tieSlopes.forEach((own, k) => ((tieScores[k] as Float64Array)[p] = surplus * own));
  }
  const compared = new Set(rater).size;
  const several = severalRaters(counts);
  const sums = new Float64Array(counts.raters);
  return (item, row) => {
    if (several[item] === 0) return NaN;
    sums.fill(0);
    for (let p = 0; p < a.length; p++) {
      let score = (worth[p] as number) * ((row[a[p] as number] as number) - (row[b[p] as number] as number));
      for (let k = 0; k < tieScores.length; k++) score += (tieScores[k]?.[p] as number) * (row[items + k] as number);
      const who = rater[p] as number;
      sums[who] = (sums[who] as number) + score;
    }
    return (sums.reduce((total, sum) => total + sum * sum, 0) * compared) / (compared - 1);
  };
}

/** 1 for each item that two or more raters compared. */
function severalRaters({ items, a, b, rater }: RaterPairCounts): Uint8Array {
  const first = new Int32Array(items).fill(-1);
  const several = new Uint8Array(items);
  for (let p = 0; p < a.length; p++) {
    for (const item of [a[p] as number, b[p] as number]) {
      if (first[item] === -1) first[item] = rater[p] as number;
      else if (first[item] !== rater[p]) several[item] = 1;
    }
  }
  return several;
}
