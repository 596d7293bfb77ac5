import { quantile } from "../numeric/statistics.js";

interface Summary {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly rank: Int32Array;
  readonly rankBest: Float64Array;
  readonly rankWorst: Float64Array;
}

const [lower, upper] = [0.025, 0.975];

/** Percentile intervals of values and of ranks over draws; NaN without draws. */
export function summarise(value: Float64Array, draws: readonly Float64Array[]): Summary {
  const rankings = draws.map(ranksOf);
  const quantiles = (rows: readonly ArrayLike<number>[], p: number): Float64Array =>
    value.map((_, item) => quantile(Float64Array.from(rows, (row) => row[item] as number).sort(), p));
  return {
    low: quantiles(draws, lower),
    high: quantiles(draws, upper),
    rank: ranksOf(value),
    rankBest: quantiles(rankings, lower).map(Math.floor),
    rankWorst: quantiles(rankings, upper).map(Math.ceil),
  };
}

/** Rank of each value, 1 the largest; equal values share the better rank. */
export function ranksOf(values: Float64Array): Int32Array {
  const sorted = Float64Array.from(values).sort().reverse();
  return Int32Array.from(values, (value) => sorted.indexOf(value) + 1);
}
