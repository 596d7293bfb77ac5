import type { Convention } from "./convention.js";
import { studentQuantile } from "./quantiles.js";

export function average(values: readonly number[]): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

/** Root of the squared deviations from the mean over `divisor`. */
export function spread(values: readonly number[], divisor: number): number {
  const centre = average(values);
  let sum = 0;
  for (const value of values) sum += (value - centre) ** 2;
  return Math.sqrt(sum / divisor);
}

/** Quantile of sorted values by linear interpolation (type 7). */
export function quantile(sorted: readonly number[], p: number): number {
  const at = (sorted.length - 1) * p;
  const low = sorted[Math.floor(at)] ?? NaN;
  const high = sorted[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** The fields of `stats`. With a single score, the spread and everything derived from it are null. */
export function summary(scores: readonly number[], { stats }: Convention): Record<string, number | null> {
  const sorted = [...scores].sort((a, b) => a - b);
  const n = sorted.length;
  const mean = average(sorted);
  const divisor = stats.sd === "n" ? n : n - 1;
  const std = divisor > 0 ? spread(sorted, divisor) : null;
  const sem = std === null ? null : std / Math.sqrt(n);
  const [low, high] = interval(sorted, mean, sem, stats);
  const [q1, q3] = quartiles(sorted, stats.quartiles);
  return {
    n,
    mean,
    std,
    sem,
    ci_low: low,
    ci_high: high,
    min: sorted[0] ?? null,
    q1,
    median: quantile(sorted, 0.5),
    q3,
    max: sorted[n - 1] ?? null,
  };
}

/** The value at a place among sorted values, counted from 1, between two neighbours by interpolation. */
function valueAt(sorted: readonly number[], place: number): number {
  return quantile(sorted, (Math.min(sorted.length, Math.max(1, place)) - 1) / Math.max(1, sorted.length - 1));
}

/** Lower and upper quartile: quantiles of a type of Hyndman and Fan (1996), or medians of the two halves. */
function quartiles(sorted: readonly number[], rule: Convention["stats"]["quartiles"]): [number, number] {
  const n = sorted.length;
  const at = (place: (p: number) => number): [number, number] => [
    valueAt(sorted, place(0.25)),
    valueAt(sorted, place(0.75)),
  ];
  const halves = (size: number): [number, number] =>
    size === 0
      ? [valueAt(sorted, 1), valueAt(sorted, n)]
      : [quantile(sorted.slice(0, size), 0.5), quantile(sorted.slice(n - size), 0.5)];
  const by: Record<typeof rule, () => [number, number]> = {
    linear: () => [quantile(sorted, 0.25), quantile(sorted, 0.75)],
    exclusive: () => at((p) => (n + 1) * p),
    type_5: () => at((p) => n * p + 0.5),
    type_8: () => at((p) => (n + 1 / 3) * p + 1 / 3),
    hinges: () => halves(Math.ceil(n / 2)),
    halves: () => halves(Math.floor(n / 2)),
  };
  return by[rule]();
}

/** Upper quantiles of the normal distribution for two-sided intervals. */
const normalQuantiles = { 90: 1.6448536269514722, 95: 1.959963984540054, 99: 2.5758293035489004 };

/** The interval of the mean. */
function interval(
  sorted: readonly number[],
  mean: number,
  sem: number | null,
  stats: Convention["stats"],
): [number | null, number | null] {
  if (sem === null || (stats.interval === "t" && sorted.length < 2)) return [null, null];
  if (stats.interval === "bootstrap") {
    const means = resampledMeans(sorted, stats.bootstrap_samples, stats.seed);
    return [quantile(means, 0.5 - stats.level / 200), quantile(means, 0.5 + stats.level / 200)];
  }
  const half =
    sem *
    (stats.interval === "normal"
      ? normalQuantiles[stats.level]
      : studentQuantile(0.5 + stats.level / 200, sorted.length - 1));
  return [mean - half, mean + half];
}

/** A generator of the emulator's own (xorshift32), so that resampling shares nothing with the code it checks. */
function generator(seed: number): () => number {
  // The state must not be 0; the multiplication separates neighbouring seeds.
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** The means of `samples` resamples of `values`, drawn with replacement, in ascending order. */
function resampledMeans(values: readonly number[], samples: number, seed: number): number[] {
  const random = generator(seed);
  const means = Array.from({ length: samples }, () => {
    let sum = 0;
    for (let draw = 0; draw < values.length; draw += 1) sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  });
  return means.sort((a, b) => a - b);
}
