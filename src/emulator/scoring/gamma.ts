import { invert, logGamma } from "./special.js";

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
