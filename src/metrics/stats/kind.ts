import Type from "typebox";
import { defineKind } from "../kind.js";
import { normalQuantile, tQuantile } from "../numeric/quantiles.js";
import { deviation, meanOf, quantile } from "../numeric/statistics.js";
import { axis } from "../options.js";
import { stepOf } from "../sample.js";
import { either, seed, strict } from "../schema.js";

const withSd = (sd: "n" | "n-1") => ({ conventions: { stats: { sd } } });

const divisors = axis("sd", withSd, {
  n: [3, "the standard deviation divides by n"],
  "n-1": [3, "the standard deviation divides by n - 1"],
});
const intervals = axis("interval", (interval) => ({ conventions: { stats: { interval } } }), {
  normal: [3, "the interval uses the normal distribution"],
  t: [3, "the interval uses Student's t"],
});

export const stats = defineKind({
  name: "stats",
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
  ranks: 6,
  conventions: {
    stats: Type.Object(
      {
        sd: either(["n-1", "n"]),
        interval: either(["t", "normal", "bootstrap"]),
        bootstrap_samples: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
        seed,
      },
      strict,
    ),
  },
  defaults: { stats: { sd: "n-1", interval: "t", bootstrap_samples: 1000, seed: 1 } },
  decidedBy: ({ stats: { sd, interval } }) => ({ sd, interval }),
  evaluate(sample, { stats: { sd, interval } }) {
    const { items, scores } = sample.scores();
    const each = (of: (scores: Float64Array) => number): Float64Array => Float64Array.from(scores, of);
    const n = each((s) => s.length);
    const mean = each(meanOf);
    const std = each((s) => deviation(s, sd === "n" ? s.length : s.length - 1));
    const sem = std.map((d, i) => d / Math.sqrt(n[i] as number));
    const factor = n.map((count) =>
      interval === "normal" ? normalQuantile(0.975) : count > 1 ? tQuantile(0.975, count - 1) : NaN,
    );
    const half = sem.map((e, i) => e * (factor[i] as number));
    return {
      items,
      columns: {
        n,
        mean,
        std,
        sem,
        ci_low: mean.map((m, i) => m - (half[i] as number)),
        ci_high: mean.map((m, i) => m + (half[i] as number)),
        min: each((s) => s[0] ?? NaN),
        q1: each((s) => quantile(s, 0.25)),
        median: each((s) => quantile(s, 0.5)),
        q3: each((s) => quantile(s, 0.75)),
        max: each((s) => s.at(-1) ?? NaN),
      },
    };
  },
  influence: "score sums",
  follows: {
    sem: ["std", "n"],
    ci_low: ["mean", "std", "sem"],
    ci_high: ["mean", "std", "sem", "ci_low"],
  },
  grain(sample) {
    const rated = sample.scores();
    const step = stepOf(rated);
    const ofMean = Float64Array.from(rated.scores, ({ length }) => step / length);
    const ofScore = ofMean.map(() => step / 2);
    return {
      ...{ mean: ofMean, min: ofScore, q1: ofScore, median: ofScore, q3: ofScore, max: ofScore },
    };
  },
  hypotheses: [...divisors.hypotheses, ...intervals.hypotheses],
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
  ],
});
