import type { ItemScore } from "./comparisons.js";
import type { Convention } from "./convention.js";

/** ln Γ(x) for x > 0, Stirling's series after shifting x above 15; about 1e-15 relative. */
function logGamma(x: number): number {
  let shift = 0;
  let y = x;
  while (y < 15) {
    shift += Math.log(y);
    y += 1;
  }
  const z = 1 / (y * y);
  const series = (1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * (1 / 1188 - (z * 691) / 360360))))) / y;
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/**
 * The argument at which an increasing `cdf` reaches `p`, by bisection between two bounds.
 * Slow but reliable: 200 halvings reach the last bit.
 */
function invert(cdf: (x: number) => number, p: number, low: number, high: number): number {
  let [a, b] = [low, high];
  for (let step = 0; step < 200; step += 1) {
    const middle = (a + b) / 2;
    if (middle <= a || middle >= b) break;
    if (cdf(middle) < p) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}

/** P(shape, x): the lower regularised incomplete gamma function (DLMF 8.7.1, and 8.9.2 as a continued fraction). */
export function gammaCdf(shape: number, x: number): number {
  if (x <= 0) return 0;
  const front = Math.exp(shape * Math.log(x) - x - logGamma(shape));
  if (x < shape + 1) {
    let term = 1 / shape;
    let sum = term;
    for (let n = 1; n < 100_000 && term > sum * 1e-17; n += 1) {
      term *= x / (shape + n);
      sum += term;
    }
    return sum * front;
  }
  let b = x + 1 - shape;
  let c = Infinity;
  let d = 1 / b;
  let h = d;
  for (let n = 1; n < 100_000; n += 1) {
    const a = -n * (n - shape);
    b += 2;
    d = 1 / (a * d + b);
    c = b + a / c;
    const change = d * c;
    h *= change;
    if (Math.abs(change - 1) < 1e-16) break;
  }
  return 1 - front * h;
}

/** Quantile of Gamma(shape, rate 1). */
export function gammaQuantile(p: number, shape: number): number {
  let high = shape + 10;
  while (gammaCdf(shape, high) < p) high *= 2;
  return invert((x) => gammaCdf(shape, x), p, 0, high);
}

/** I_x(a, b), the regularised incomplete beta function as a continued fraction (DLMF 8.17.22). */
function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logGamma(a) - logGamma(b) + logGamma(a + b)) / a;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / (1 + even * d);
    c = 1 + even / c;
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / (1 + odd * d);
    c = 1 + odd / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return front * h;
}

/** Upper quantile (p > ½) of Student's t with `df` degrees of freedom. */
export function studentQuantile(p: number, df: number): number {
  const tail = (t: number) => 1 - 0.5 * betaCdf(df / (df + t * t), df / 2, 0.5);
  return invert(tail, p, 0, 1e6);
}

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

/** The mean score of every item, or the statistic that the convention uses instead. */
export function means(
  items: Map<string, ItemScore[]>,
  { mean: kind, denominator }: Pick<Convention, "mean" | "denominator">,
): Map<string, { value: number | null; n: number }> {
  const scaleOf = raterScales[kind];
  const scores = scaleOf === undefined ? items : onRaterScale(items, scaleOf);
  const found = new Map<string, { value: number | null; n: number }>();
  const put = (item: string, value: number, n: number): void => {
    if (denominator === "n") found.set(item, { value, n });
    else found.set(item, { value: n > 1 ? value * (1 + 1 / (n - 1)) : null, n });
  };
  for (const [item, own] of scores) {
    const values = own.map((rating) => rating.score);
    const middle = (): number =>
      quantile(
        [...values].sort((a, b) => a - b),
        0.5,
      );
    if (kind === "rater_mean") {
      const averages = raterAverages(own);
      put(item, average(averages), averages.length);
    } else put(item, kind === "median" ? middle() : average(values), own.length);
  }
  return found;
}

function byRater(ratings: Iterable<ItemScore>): Map<string, number[]> {
  const raters = new Map<string, number[]>();
  for (const { rater, score } of ratings) {
    const own = raters.get(rater);
    if (own === undefined) raters.set(rater, [score]);
    else own.push(score);
  }
  return raters;
}

const raterAverages = (own: ItemScore[]): number[] => [...byRater(own).values()].map(average);

/** A rater's zero and unit; a unit of 0 if the rater never varies. */
type RaterScale = (scores: readonly number[]) => { zero: number; unit: number };

const standard =
  (less: number): RaterScale =>
  (scores) => ({ zero: average(scores), unit: scores.length > less ? spread(scores, scores.length - less) : 0 });

const raterScales: Partial<Record<Convention["mean"], RaterScale>> = {
  rater_z: standard(1),
  rater_z_n: standard(0),
  rater_minmax: (scores) => ({ zero: Math.min(...scores), unit: Math.max(...scores) - Math.min(...scores) }),
};

/** Each score on its rater's scale; the ratings of one who never varies do not count. */
function onRaterScale(items: Map<string, ItemScore[]>, scaleOf: RaterScale): Map<string, ItemScore[]> {
  const raters = new Map(
    [...byRater([...items.values()].flat())].map(([rater, scores]) => [rater, scaleOf(scores)] as const),
  );
  const found = new Map<string, ItemScore[]>();
  for (const [item, own] of items) {
    const scaled = own.flatMap(({ rater, score }) => {
      const { zero = 0, unit = 0 } = raters.get(rater) ?? {};
      return unit === 0 ? [] : [{ rater, score: (score - zero) / unit }];
    });
    if (scaled.length > 0) found.set(item, scaled);
  }
  return found;
}
