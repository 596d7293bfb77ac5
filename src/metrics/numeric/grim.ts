const largestCount = 100_000;

/**
 * GRIM (Brown and Heathers 2017): the smallest n with which each of the numbers can be the mean of
 * n whole ones, times `unit`: 100 for percentages.
 * @param halfWidthOf the largest distance of a published number from what it was before it was
 * rounded; 0 if it was not
 * @returns null if there is none up to 100,000
 */
export function smallestCount(
  numbers: readonly number[],
  unit: number,
  halfWidthOf: (value: number) => number,
): number | null {
  const means = numbers.map((value) => ({
    mean: value / unit,
    halfWidth: halfWidthOf(value) / unit,
  }));
  for (let n = 1; n <= largestCount; n++) {
    const areMeans = means.every(({ mean, halfWidth }) => {
      const sum = mean * n;
      const noise = 4 * Number.EPSILON * Math.max(1, Math.abs(sum));
      return Math.abs(sum - Math.round(sum)) <= halfWidth * n + noise;
    });
    if (areMeans) return n;
  }
  return null;
}

/** Where a number lay before it was rounded. */
export interface Span {
  readonly low: number;
  readonly high: number;
}

/** What is stated of some scores; undefined for what is not. Shares are means of 0 and 1. */
export interface StatedSummary {
  readonly mean: Span;
  /** Standard deviation, with n or n - 1. */
  readonly sd?: Span;
  readonly n?: number;
  /** The lowest and the highest score that there can be. */
  readonly scale?: Span;
}

/** Sums that fit a rounded mean: with more of them nothing can be told from parities. */
const mostSums = 1000;

/** Far above the rounding error of a sum of squares, far below what a published digit moves. */
const sumNoise = 1e-9;

const nearestTo = (from: number, to: number, { low, high }: Span): number =>
  Math.min(Math.max((from + to) / 2, low), high);

/**
 * Whether no scores have the stated numbers: `scale` if the mean is outside of the scale or the
 * standard deviation above sqrt((m - a) (b - m) n / (n - 1)); of whole scores `mean` if no sum of n
 * gives it (GRIM), and `sd` if no sum of squares does, which has the parity of the sum (GRIMMER,
 * Anaya 2016). Null if there may be such scores.
 */
export function contradictionIn(stated: StatedSummary): "scale" | "mean" | "sd" | null {
  if (isBeyondScale(stated)) return "scale";
  const { mean, sd, n } = stated;
  if (n === undefined) return sd !== undefined && sd.high < leastDeviation(mean) ? "sd" : null;
  const noise = sumNoise * Math.max(1, Math.abs(mean.high * n));
  const first = Math.ceil(mean.low * n - noise);
  const last = Math.floor(mean.high * n + noise);
  if (first > last) return "mean";
  if (sd === undefined || n < 2 || last - first > mostSums) return null;
  for (let sum = first; sum <= last; sum++) if (hasSquares(sum, n, sd)) return null;
  return "sd";
}

function isBeyondScale({ mean, sd, n = 2, scale }: StatedSummary): boolean {
  if (scale === undefined) return false;
  const { low, high } = scale;
  const noise = sumNoise * Math.max(1, Math.abs(low), Math.abs(high));
  if (mean.high < low - noise || mean.low > high + noise) return true;
  const middle = nearestTo(low, high, mean);
  const most = Math.max(0, (middle - low) * (high - middle)) * (n / Math.max(1, n - 1));
  return sd !== undefined && sd.low > Math.sqrt(most) + noise;
}

/** The least standard deviation (n) of whole scores with such a mean: sqrt(f (1 - f)). */
function leastDeviation({ low, high }: Span): number {
  if (Math.floor(high + sumNoise) > Math.floor(low - sumNoise)) return 0;
  const fractions = [low, high].map((mean) => mean - Math.floor(mean));
  return Math.sqrt(Math.min(...fractions.map((f) => f * (1 - f)))) - sumNoise;
}

/** Whether n whole scores of a sum can have the deviation, with n or n - 1. */
function hasSquares(sum: number, n: number, { low, high }: Span): boolean {
  const level = Math.floor(sum / n);
  const above = sum - level * n;
  const least = n * level ** 2 + above * (2 * level + 1);
  return [n - 1, n].some((divisor) => {
    const squares = (deviation: number): number => sum ** 2 / n + divisor * deviation ** 2;
    const noise = sumNoise * Math.max(1, squares(high));
    const from = Math.max(least, Math.ceil(squares(Math.max(0, low)) - noise));
    const ofParity = from + Math.abs((from - sum) % 2);
    return ofParity <= squares(high) + noise;
  });
}
