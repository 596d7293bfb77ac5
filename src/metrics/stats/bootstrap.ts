import type { Random } from "../../platform/index.js";
import { quantile } from "../numeric/statistics.js";

/** Maximum draws per interval; beyond it fewer samples are drawn, at least 100. */
const workBound = 20_000_000;

/**
 * Percentile bootstrap interval, up to the quantile `upper`, of the mean of `scores`, given as distinct values and how often
 * each occurs. NaN for both ends if there are fewer than two scores.
 */
export function bootstrapMean(
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
    all.fill(score, at, at + (counts[i] as number));
    at += counts[i] as number;
  });
  const drawn = Math.min(samples, Math.max(100, Math.floor(workBound / n)));
  const means = new Float64Array(drawn);
  for (let sample = 0; sample < drawn; sample++) {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += all[Math.floor(random() * n)] as number;
    means[sample] = sum / n;
  }
  means.sort();
  return { low: quantile(means, 1 - upper), high: quantile(means, upper) };
}
