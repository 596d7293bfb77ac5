import { Type } from "typebox";
import { formed } from "../forms.js";
import { defineKind } from "../kind.js";
import { deviation, meanOf, normalQuantile, quantile, tQuantile } from "../numeric/statistics.js";
import { axis, either, seed, strict } from "../options.js";
import { stepOf } from "../sample.js";

/** Upper probability of a two-sided interval: 0.975 for 95 %. */
export const upperProbability = (level: number): number => 0.5 + level / 200;

/**
 * Depth of the lower quartile among n scores in order, counted from 1; the upper quartile is as deep from above
 * (Hyndman and Fan 1996 for the types, Tukey 1977 for hinges).
 */
export const quartileDepths = {
  linear: (n: number): number => (n + 3) / 4,
  exclusive: (n: number): number => (n + 1) / 4,
  type_5: (n: number): number => n / 4 + 1 / 2,
  type_8: (n: number): number => n / 4 + 5 / 12,
  hinges: (n: number): number => (Math.ceil(n / 2) + 1) / 2,
  halves: (n: number): number => (Math.floor(n / 2) + 1) / 2,
} as const;

/** The score at a depth, by linear interpolation; NaN of none. */
export function atDepth(sorted: Float64Array, depth: number): number {
  const at = Math.min(sorted.length, Math.max(1, depth));
  const below = sorted[Math.floor(at) - 1] ?? NaN;
  const above = sorted[Math.ceil(at) - 1] ?? NaN;
  return below + (at - Math.floor(at)) * (above - below);
}

const withSd = (sd: "n" | "n-1") => ({ conventions: { stats: { sd } } });

const divisors = axis(
  "sd",
  withSd,
  {
    n: [3, "the standard deviation divides by n"],
    "n-1": [3, "the standard deviation divides by n - 1"],
  },
  ["std", "sem", "ci_low", "ci_high"],
);
const intervals = axis(
  "interval",
  (interval) => ({ conventions: { stats: { interval } } }),
  {
    normal: [3, "the interval uses the normal distribution"],
    t: [3, "the interval uses Student's t"],
  },
  ["ci_low", "ci_high"],
);
const roundedQuantile = axis("interval", formed, { "1.96": [3, "the interval is the mean ± 1.96 standard errors"] }, [
  "ci_low",
  "ci_high",
]);
const atLevel = (level: 90 | 95 | 99) => ({ conventions: { stats: { level } } });

const levels = axis(
  "level",
  (level) => atLevel(Number(level) as 90 | 95 | 99),
  {
    "90": [3, "the interval covers 90 %"],
    "95": [3, "the interval covers 95 %"],
    "99": [3, "the interval covers 99 %"],
  },
  ["ci_low", "ci_high"],
);
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

/** The interval of a mean at a level in percent, from errors clustered by rater. */
export const clusteredInterval = (level: number): string =>
  `${level}\u00a0% interval of the mean, errors clustered by rater`;

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
  aliases: { p25: "q1", p50: "median", p75: "q3", p025: "ci_low", p975: "ci_high" },
  direction: "either",
  definition: "s² = Σ (x_{i} − x̄)² / (n − 1), s_{x̄} = s / √n, interval x̄ ± t_{n−1} s_{x̄}",
  source:
    "Student, The probable error of a mean, Biometrika 6 (1908); quartiles: Hyndman and Fan, The American Statistician 50 (1996)",
  errors:
    "sem, ci_low and ci_high suppose that ratings are independent of each other; metric_stats_clustered has them clustered by rater",
  ranks: 6,
  interval: (_, level) => clusteredInterval(level),
  intervalNoise: { share: 1e-6, of: "half width" },
  conventions: {
    stats: Type.Object(
      {
        sd: either(["n-1", "n"]),
        interval: either(["t", "normal", "bootstrap"]),
        level: Type.Union([Type.Literal(90), Type.Literal(95), Type.Literal(99)]),
        quartiles: either(["linear", "exclusive", "type_5", "type_8", "hinges", "halves"]),
        bootstrap_samples: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
        seed,
      },
      strict,
    ),
  },
  defaults: {
    stats: { sd: "n-1", interval: "t", level: 95, quartiles: "linear", bootstrap_samples: 1000, seed: 1 },
  },
  decidedBy: ({ stats: { sd, interval, level, quartiles } }) => ({ sd, interval, level, quartiles }),
  evaluate(sample, { stats: { sd, interval, level, quartiles } }) {
    const { items, scores } = sample.scores();
    const each = (of: (scores: Float64Array) => number): Float64Array => Float64Array.from(scores, of);
    const n = each((s) => s.length);
    const mean = each(meanOf);
    const std = each((s) => deviation(s, sd === "n" ? s.length : s.length - 1));
    const sem = std.map((d, i) => d / Math.sqrt(n[i]!));
    const upper = upperProbability(level);
    const factor = n.map((count) =>
      interval === "normal" ? normalQuantile(upper) : count > 1 ? tQuantile(upper, count - 1) : NaN,
    );
    const depths = n.map((count) => quartileDepths[quartiles](count));
    const half = sem.map((e, i) => e * factor[i]!);
    return {
      items,
      columns: {
        n,
        mean,
        std,
        sem,
        ci_low: mean.map((m, i) => m - half[i]!),
        ci_high: mean.map((m, i) => m + half[i]!),
        min: each((s) => s[0] ?? NaN),
        q1: Float64Array.from(scores, (s, i) => atDepth(s, depths[i]!)),
        median: each((s) => quantile(s, 0.5)),
        q3: Float64Array.from(scores, (s, i) => atDepth(s, s.length + 1 - depths[i]!)),
        max: each((s) => s.at(-1) ?? NaN),
      },
    };
  },
  forms: {
    "1.96"({ items, columns }) {
      const { mean, sem } = columns as Record<"mean" | "sem", Float64Array>;
      const end = (factor: number): Float64Array => mean.map((m, i) => m + factor * sem[i]!);
      return { items, columns: { ...columns, ci_low: end(-1.96), ci_high: end(1.96) } };
    },
  },
  sums() {
    const one = () => 1;
    return { mean: { of: (x) => x, per: one }, n: { of: one } };
  },
  follows: {
    sem: ["std", "n"],
    ci_low: ["mean", "std", "sem"],
    ci_high: ["mean", "std", "sem", "ci_low"],
  },
  grain(sample, _, isOther) {
    const rated = sample.scores();
    const step = stepOf(rated);
    const ofMean = Float64Array.from(rated.scores, ({ length }) => (isOther ? step / length : 0));
    const ofScore = ofMean.map(() => step);
    const ofQuartile = ofMean.map(() => step / 4);
    return { mean: ofMean, min: ofScore, max: ofScore, q1: ofQuartile, median: ofQuartile, q3: ofQuartile };
  },
  hypotheses: [
    ...divisors.hypotheses,
    ...intervals.hypotheses,
    ...roundedQuantile.hypotheses,
    ...levels.hypotheses,
    ...quartileRules.hypotheses,
  ],
  inUse: { scale: [0.01, 100] },
  options: [
    {
      axis: "sd",
      names: ["sd", "ddof"],
      read(value) {
        if (value === "n" || value === 0) return withSd("n");
        return value === "n-1" || value === 1 ? withSd("n-1") : undefined;
      },
    },
    intervals.option("interval", "ci"),
    {
      axis: "level",
      names: ["level", "confidence", "confidence_level"],
      read: (value) =>
        ([90, 95, 99] as const).filter((level) => value === level || value === level / 100).map(atLevel)[0],
    },
    quartileRules.option("quartiles"),
  ],
});
