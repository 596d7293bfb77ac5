/** Sums, quantiles and distributions. */
import { createRequire } from "node:module";
import type betaincOf from "@stdlib/math-base-special-betainc";
import type betaincinvOf from "@stdlib/math-base-special-kernel-betaincinv";
import type gammaQuantileOf from "@stdlib/stats-base-dists-gamma-quantile";
import type normalQuantileOf from "@stdlib/stats-base-dists-normal-quantile";
import type tQuantileOf from "@stdlib/stats-base-dists-t-quantile";
import { remembered } from "../../platform/index.js";

/** Type 7, of ascending values; NaN of none. */
export function quantile(sorted: Float64Array, probability: number): number {
  if (sorted.length === 0) return NaN;
  const at = probability * (sorted.length - 1);
  const below = sorted[Math.floor(at)]!;
  const above = sorted[Math.ceil(at)]!;
  return below + (at - Math.floor(at)) * (above - below);
}

/** Neumaier's: the order of values does not affect it. */
function exactSum(values: Float64Array | readonly number[]): number {
  let sum = 0;
  let lost = 0;
  for (const value of values) {
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
  }
  return sum + lost;
}

export const meanOf = (values: Float64Array | readonly number[]): number =>
  exactSum(values) / values.length;

export function deviation(values: Float64Array, divisor: number): number {
  const mean = meanOf(values);
  return Math.sqrt(exactSum(values.map((v) => (v - mean) ** 2)) / divisor);
}

const require = createRequire(import.meta.url);

function loadedOnce<F>(load: () => F): () => F {
  let loaded: F | undefined;
  return () => (loaded ??= load());
}

const library = {
  betainc: loadedOnce(() => require("@stdlib/math-base-special-betainc") as typeof betaincOf),
  betaincinv: loadedOnce(
    () => require("@stdlib/math-base-special-kernel-betaincinv") as typeof betaincinvOf,
  ),
  gamma: loadedOnce(
    () => require("@stdlib/stats-base-dists-gamma-quantile") as typeof gammaQuantileOf,
  ),
  normal: loadedOnce(
    () => require("@stdlib/stats-base-dists-normal-quantile") as typeof normalQuantileOf,
  ),
  t: loadedOnce(() => require("@stdlib/stats-base-dists-t-quantile") as typeof tQuantileOf),
};

/** Above it the library's gamma quantile is off (2e-4 at 999); the series is exact to 1e-11. */
const largeShape = 500;

/** Student's t; NaN when df is not positive. */
export function tQuantile(probability: number, df: number): number {
  return library.t()(probability, df);
}

/** P(|T| ≥ t) of Student's t. */
export function tTail(t: number, df: number): number {
  return library.betainc()(df / (df + t * t), df / 2, 0.5);
}

export function fQuantile(probability: number, df1: number, df2: number): number {
  if (!(df1 > 0 && df2 > 0)) return NaN;
  const [below = NaN, above = NaN] = library.betaincinv()(
    df1 / 2,
    df2 / 2,
    probability,
    1 - probability,
  );
  return (df2 * below) / (df1 * above);
}

export function betaQuantile(probability: number, a: number, b: number): number {
  return library.betaincinv()(a, b, probability, 1 - probability)[0] ?? NaN;
}

export const normalDensity = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);

export function normalQuantile(probability: number): number {
  return library.normal()(probability, 0, 1);
}

/** Rate 1, to 1e-10 relative for shapes ≥ ½. */
export function gammaQuantile(probability: number, shape: number): number {
  return shape < largeShape
    ? smallShapeQuantiles(shape)(probability)
    : largeShapeQuantile(probability, shape);
}

const smallShapeQuantiles = remembered((shape: number) =>
  remembered((probability: number) => library.gamma()(probability, shape, 1)),
);

/** Cornish-Fisher (Goldberg and Levine 1946; Abramowitz and Stegun 26.2.49), chi-squared halved. */
function largeShapeQuantile(probability: number, shape: number): number {
  const n = 2 * shape;
  const root = Math.sqrt(n);
  const x = normalQuantile(probability);
  const x2 = x * x;
  const x4 = x2 * x2;
  const chiSquared =
    n +
    Math.SQRT2 * x * root +
    (2 / 3) * (x2 - 1) +
    (x * (x2 - 7)) / (9 * Math.SQRT2 * root) -
    (6 * x4 + 14 * x2 - 32) / (405 * n) +
    (x * (9 * x4 + 256 * x2 - 433)) / (4860 * Math.SQRT2 * n * root) +
    (12 * x4 * x2 - 243 * x4 - 923 * x2 + 1472) / (25515 * n * n);
  return chiSquared / 2;
}
