/** Kernels of bootstrap intervals and critical values. */
import { type Random, seededRandom } from "../../platform/index.js";
import { byGroup, type Kernel } from "../kernel.js";
import { normalQuantile, quantile, tQuantile } from "../numeric/statistics.js";
import { upperProbability } from "../intervals.js";
import { statsWork } from "../limits.js";

/** Percentile bootstrap of the mean up to `upper`; distinct `scores`, counted. NaN if n < 2. */
function bootstrapMean(
  scores: Float64Array,
  counts: Float64Array,
  samples: number,
  random: Random,
  upper = 0.975,
): { low: number; high: number } {
  const n = counts.reduce((sum, count) => sum + count, 0);
  if (n < 2) return { low: NaN, high: NaN };
  const all = new Float64Array(n);
  let at = 0;
  scores.forEach((score, i) => {
    all.fill(score, at, at + counts[i]!);
    at += counts[i]!;
  });
  const drawn = Math.min(samples, Math.max(100, Math.floor(statsWork / n)));
  const means = new Float64Array(drawn);
  for (let sample = 0; sample < drawn; sample++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += all[Math.floor(random() * n)]!;
    means[sample] = sum / n;
  }
  means.sort();
  return { low: quantile(means, 1 - upper), high: quantile(means, upper) };
}

export const bootstrapKernel = byGroup(
  "cell_id",
  { "": { low: "double", high: "double" } },
  ({ rows: { score, n } }, { stats: { bootstrap_samples, seed, level } }) => ({
    "": bootstrapMean(
      score as Float64Array,
      n as Float64Array,
      bootstrap_samples,
      seededRandom(seed),
      upperProbability(level),
    ),
  }),
);

/** By degrees of freedom. */
export const criticalValuesKernel: Kernel = {
  tables: { "": { df: "double", critical: "double" } },
  run(input, { stats }) {
    const upper = upperProbability(stats.level);
    const df = input.df as Float64Array;
    const critical = df.map((d) =>
      stats.interval === "normal" ? normalQuantile(upper) : tQuantile(upper, d),
    );
    return { "": { df, critical } };
  },
};
