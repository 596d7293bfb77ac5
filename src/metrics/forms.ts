/** Forms in which computed numbers are published. */
import { likelihoodClasses } from "./bradley-terry/classes.js";
import { fitWorths, type TieModel } from "./bradley-terry/model.js";
import type { Table } from "./kind.js";
import { comparisonsOf, type PairCounts } from "./pair-counts.js";
import type { Sample } from "./sample.js";

export const formed = <F extends string>(form: F) => ({ form });

export const withValues = ({ items, columns }: Table, own: Float64Array, scale = 1): Table => ({
  items,
  columns: { ...columns, value: own.map((value) => scale * value) },
});

/** `none`: ties are left out. */
type Ties = TieModel | "none";

const countsWithoutTies = (counts: PairCounts): PairCounts => ({
  ...counts,
  ties: counts.ties.map(() => 0),
});

/** Natural logarithms that sum to zero; NaN for all items if no finite fit exists. */
function sampleLogWorths(sample: Sample, ties: Ties): Float64Array {
  const { counts } = sample.pairs();
  const counted = ties === "none" ? countsWithoutTies(counts) : counts;
  if (likelihoodClasses(counted).classes !== 1) return new Float64Array(counts.items).fill(NaN);
  const { logWorth, iterations } = fitWorths(counted, ties === "none" ? "half" : ties);
  sample.spend(iterations * counts.a.length);
  return logWorth;
}

/** Their mean is `level`; `scale` is a factor of ten in strength. */
export const likelihoodRatings = (
  sample: Sample,
  ties: Ties,
  level: number,
  scale: number,
): Float64Array => sampleLogWorths(sample, ties).map((log) => level + (scale * log) / Math.LN10);

/** Mean chance of each item to beat another one, 0 to 1. */
export function likelihoodShares(sample: Sample, ties: Ties): Float64Array {
  const logs = sampleLogWorths(sample, ties);
  return logs.map((own, i) => {
    const chances = logs.map((other, j) => (j === i ? 0 : 1 / (1 + Math.exp(other - own))));
    return chances.reduce((sum, chance) => sum + chance, 0) / (logs.length - 1);
  });
}

/** Mean over opponents of the share won, 0 to 1; a tie counts `tie`. */
export function sharesByOpponent(
  sample: Sample,
  tie: number,
  ties: "counted" | "left out",
): Float64Array {
  const { counts } = sample.pairs();
  const used = ties === "counted" ? counts : countsWithoutTies(counts);
  const n = comparisonsOf(used);
  const sums = new Float64Array(used.items);
  const opponents = new Float64Array(used.items);
  const meet = (item: number, wins: number, pair: number): void => {
    if (n[pair] === 0) return;
    sums[item]! += (wins + tie * used.ties[pair]!) / n[pair]!;
    opponents[item]! += 1;
  };
  for (let pair = 0; pair < n.length; pair++) {
    if (used.a[pair] === used.b[pair]) continue;
    meet(used.a[pair]!, used.winsA[pair]!, pair);
    meet(used.b[pair]!, used.winsB[pair]!, pair);
  }
  return sums.map((sum, i) => sum / opponents[i]!);
}

/** Strengths relative to their sum or geometric mean; `scale` is a factor of ten. */
export function worths(ratings: Float64Array, scale: number, per: "sum" | "mean"): Float64Array {
  const middle = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  const relative = ratings.map((rating) => 10 ** ((rating - middle) / scale));
  const whole = per === "sum" ? relative.reduce((sum, worth) => sum + worth, 0) : 1;
  return relative.map((worth) => worth / whole);
}
