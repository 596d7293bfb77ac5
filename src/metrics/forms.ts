/** Forms in which computed numbers are published. */
import { likelihoodClasses } from "./bradley-terry/classes.js";
import { fitWorths, type TieModel } from "./bradley-terry/model.js";
import type { Table } from "./kind.js";
import { comparisonsOf, type PairCounts } from "./pair-counts.js";
import type { Sample } from "./sample.js";

export const formed = <F extends string>(form: F) => ({ form });

/**
 * The form of the kinds that publish log worths of highest likelihood on the Elo scale, 400 / ln 10
 * each, around any level.
 */
export const eloForm = "elo";

/** A table with another value of each item. */
export const withValues = ({ items, columns }: Table, value: Float64Array): Table => ({
  items,
  columns: { ...columns, value },
});

/** How a kind counts ties between two items; `none`: they are left out. */
type Ties = TieModel | "none";

const countsWithoutTies = (counts: PairCounts): PairCounts => ({
  ...counts,
  ties: counts.ties.map(() => 0),
});

/**
 * Log worths of maximum-likelihood Bradley-Terry, natural logarithms that sum to zero. NaN for all
 * items if no finite fit exists: some of them won, or lost, every comparison with the others.
 */
function sampleLogWorths(sample: Sample, ties: Ties): Float64Array {
  const { counts } = sample.pairs();
  const counted = ties === "none" ? countsWithoutTies(counts) : counts;
  if (likelihoodClasses(counted).classes !== 1) return new Float64Array(counts.items).fill(NaN);
  const { logWorth, iterations } = fitWorths(counted, ties === "none" ? "half" : ties);
  sample.spend(iterations * counts.a.length);
  return logWorth;
}

/**
 * Ratings of maximum-likelihood Bradley-Terry: their mean is `level`, and `scale` is a factor of
 * ten in strength.
 */
export const likelihoodRatings = (
  sample: Sample,
  ties: Ties,
  level: number,
  scale: number,
): Float64Array => sampleLogWorths(sample, ties).map((log) => level + (scale * log) / Math.LN10);

/**
 * The mean chance of each item to beat another one, by maximum-likelihood Bradley-Terry; 0 to 1.
 */
export function likelihoodShares(sample: Sample, ties: Ties): Float64Array {
  const logs = sampleLogWorths(sample, ties);
  return logs.map((own, i) => {
    const chances = logs.map((other, j) => (j === i ? 0 : 1 / (1 + Math.exp(other - own))));
    return chances.reduce((sum, chance) => sum + chance, 0) / (logs.length - 1);
  });
}

/**
 * The mean over its opponents of the share of comparisons that an item won, a tie counting `tie`; 0
 * to 1.
 */
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

/**
 * Strengths of ratings on a scale whose `scale` is a factor of ten, relative to their sum or
 * geometric mean.
 */
export function worths(ratings: Float64Array, scale: number, per: "sum" | "mean"): Float64Array {
  const middle = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  const relative = ratings.map((rating) => 10 ** ((rating - middle) / scale));
  const whole = per === "sum" ? relative.reduce((sum, worth) => sum + worth, 0) : 1;
  return relative.map((worth) => worth / whole);
}
