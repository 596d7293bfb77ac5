import { quantile } from "../numeric/statistics.js";
import type { Draw } from "./draw.js";
import { ranksOf } from "./ranks.js";

interface Summary {
  readonly low: Float64Array;
  readonly high: Float64Array;
  readonly rank: Int32Array;
  readonly rankBest: Float64Array;
  readonly rankWorst: Float64Array;
}

const [lower, upper] = [0.025, 0.975];

/** Percentile intervals of values and of ranks over draws; NaN without draws, and for an end that is infinite. */
export function summarise(value: Float64Array, draws: readonly Draw[]): Summary {
  const over = new Float64Array(draws.length);
  const ends = (of: "low" | "high" | "best" | "worst", p: number, round: (x: number) => number): Float64Array =>
    value.map((_, item) => {
      for (let draw = 0; draw < over.length; draw++) over[draw] = draws[draw]?.[of][item] as number;
      return outerQuantile(over.sort(), p, round);
    });
  return {
    low: ends("low", lower, Math.floor),
    high: ends("high", upper, Math.ceil),
    rank: ranksOf(value),
    rankBest: ends("best", lower, Math.floor).map(Math.floor),
    rankWorst: ends("worst", upper, Math.ceil).map(Math.ceil),
  };
}

/** A quantile; between a finite and an infinite value, the one further out. NaN if that is infinite. */
function outerQuantile(sorted: Float64Array, p: number, outwards: (at: number) => number): number {
  const between = quantile(sorted, p);
  if (Number.isFinite(between) || sorted.length === 0) return between;
  const outer = sorted[outwards(p * (sorted.length - 1))] as number;
  return Number.isFinite(outer) ? outer : NaN;
}
