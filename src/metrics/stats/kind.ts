/** The kind `stats`: mean, deviation, quartiles and interval. */
import {
  intervalAliases,
  intervalConventions,
  intervalDefaults,
  intervalNoise,
} from "../intervals.js";
import { defineKind } from "../kind.js";
import { meanInterval } from "../mean-interval.js";
import { deviation, meanOf, quantile } from "../numeric/statistics.js";
import { axis } from "../options.js";
import { stepOf } from "../sample.js";
import { scoreUnits } from "../units.js";

/** From 1, of the lower quartile (Hyndman and Fan 1996 for types, Tukey 1977 for hinges). */
const quartileDepths = {
  linear: (n: number): number => (n + 3) / 4,
  exclusive: (n: number): number => (n + 1) / 4,
  type_5: (n: number): number => n / 4 + 1 / 2,
  type_8: (n: number): number => n / 4 + 5 / 12,
  hinges: (n: number): number => (Math.ceil(n / 2) + 1) / 2,
  halves: (n: number): number => (Math.floor(n / 2) + 1) / 2,
} as const;

/** By linear interpolation; NaN of none. */
function atDepth(sorted: Float64Array, depth: number): number {
  const at = Math.min(sorted.length, Math.max(1, depth));
  const below = sorted[Math.floor(at) - 1] ?? NaN;
  const above = sorted[Math.ceil(at) - 1] ?? NaN;
  return below + (at - Math.floor(at)) * (above - below);
}

const quartileRules = axis(
  "quartiles",
  (quartiles) => ({ conventions: { stats: { quartiles } } }),
  {
    linear: [3, "quartiles interpolate between the lowest and the highest score (type 7)"],
    exclusive: [5, "quartiles are at (n + 1)/4 (type 6)"],
    type_5: [9, "quartiles are at n/4 + 1/2 (type 5)"],
    type_8: [9, "quartiles are at n/4 + 5/12 (type 8)"],
    hinges: [5, "quartiles are medians of the halves, the middle score in both"],
    halves: [5, "quartiles are medians of the halves, without the middle score"],
  },
  ["q1", "q3"],
);

export const clusteredInterval = (level: number): string =>
  `${level} % interval of the mean, errors clustered by rater`;

export const stats = defineKind({
  name: "stats",
  title: "statistics",
  model: "metric_stats",
  family: "scored",
  fields: {
    mean: "estimate",
    n: "count",
    std: "estimate",
    sem: "estimate",
    ci_low: "interval end",
    ci_high: "interval end",
    min: "estimate",
    q1: "estimate",
    median: "estimate",
    q3: "estimate",
    max: "estimate",
  },
  besides: { half_width: "half width" },
  aliases: { p25: "q1", p50: "median", p75: "q3", ...intervalAliases },
  direction: "either",
  definition: "s² = Σ (x_{i} − x̄)² / (n − 1), s_{x̄} = s / √n, interval x̄ ± t_{n−1} s_{x̄}",
  source:
    "Student, The probable error of a mean, Biometrika 6 (1908); quartiles: Hyndman and " +
    "Fan, The American Statistician 50 (1996)",
  errors:
    "sem, ci_low and ci_high suppose that ratings are independent of each other; " +
    "metric_stats_clustered has them clustered by rater",
  ranks: 6,
  interval: (_, level) => clusteredInterval(level),
  intervalNoise,
  conventions: intervalConventions,
  defaults: intervalDefaults,
  decidedBy: ({ stats: own }) => ({ ...meanInterval.decidedBy(own), quartiles: own.quartiles }),
  evaluate(sample, { stats: own }, withEnds) {
    const { sd, quartiles } = own;
    const { items, scores } = sample.scores();
    const each = (of: (scores: Float64Array) => number): Float64Array =>
      Float64Array.from(scores, of);
    const n = each((s) => s.length);
    const mean = each(meanOf);
    const std = each((s) => deviation(s, sd === "n" ? s.length : s.length - 1));
    const sem = std.map((d, i) => d / Math.sqrt(n[i]!));
    const depths = n.map((count) => quartileDepths[quartiles](count));
    const { columns, noise } = meanInterval.of(sample, scores, own, withEnds);
    return {
      items,
      ...(noise && { noise }),
      columns: {
        ...columns,
        n,
        mean,
        std,
        sem,
        min: each((s) => s[0] ?? NaN),
        q1: Float64Array.from(scores, (s, i) => atDepth(s, depths[i]!)),
        median: each((s) => quantile(s, 0.5)),
        q3: Float64Array.from(scores, (s, i) => atDepth(s, s.length + 1 - depths[i]!)),
        max: each((s) => s.at(-1) ?? NaN),
      },
    };
  },
  forms: meanInterval.forms,
  lessThanN: () => 0,
  follows: {
    sem: ["std", "n"],
    ci_low: ["mean", "std", "sem"],
    ci_high: ["mean", "std", "sem", "ci_low"],
    half_width: ["std", "sem", "ci_low", "ci_high"],
  },
  grain(sample, _, isOther) {
    const rated = sample.scores();
    const step = stepOf(rated);
    const ofMean = Float64Array.from(rated.scores, ({ length }) => (isOther ? step / length : 0));
    const ofScore = ofMean.map(() => step);
    const ofQuartile = ofMean.map(() => step / 4);
    return {
      mean: ofMean,
      min: ofScore,
      max: ofScore,
      q1: ofQuartile,
      median: ofQuartile,
      q3: ofQuartile,
    };
  },
  units: scoreUnits,
  hypotheses: [...meanInterval.hypotheses, ...quartileRules.hypotheses],
  options: meanInterval.options,
});
