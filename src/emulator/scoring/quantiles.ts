// Quantiles of the gamma distribution and of Student's t.
/** ln Γ(x) for x > 0, Stirling's series after shifting x above 15; about 1e-15 relative. */
function logGamma(x: number): number {
  let shift = 0;
  let y = x;
  while (y < 15) {
    shift += Math.log(y);
    y += 1;
  }
  const z = 1 / (y * y);
  const series =
    (1 / 12 -
      z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * (1 / 1188 - (z * 691) / 360360))))) /
    y;
  return (y - 0.5) * Math.log(y) - y + 0.5 * Math.log(2 * Math.PI) + series - shift;
}

/** By bisection to the last bit. */
function invert(cdf: (x: number) => number, p: number, low: number, high: number): number {
  const middle = (low + high) / 2;
  if (middle <= low || middle >= high) return middle;
  return cdf(middle) < p ? invert(cdf, p, middle, high) : invert(cdf, p, low, middle);
}

/** The lower regularised incomplete gamma function, by its series (DLMF 8.7.1). */
function gammaCdf(shape: number, x: number): number {
  if (x <= 0) return 0;
  let term = 1 / shape;
  let sum = term;
  for (let n = 1; term > sum * 1e-17; n += 1) {
    term *= x / (shape + n);
    sum += term;
  }
  return sum * Math.exp(shape * Math.log(x) - x - logGamma(shape));
}

/** Quantile of Gamma(shape, rate 1), which lies within 20 standard deviations. */
export const invertedGammaCdf = (p: number, shape: number): number =>
  invert((x) => gammaCdf(shape, x), p, 0, shape + 20 * Math.sqrt(shape) + 40);

/** The regularised incomplete beta function, as a continued fraction (DLMF 8.17.22). */
function betaCdf(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - betaCdf(1 - x, b, a);
  const front =
    Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logGamma(a) - logGamma(b) + logGamma(a + b)) /
    a;
  let c = 1;
  let d = 1 / (1 - ((a + b) * x) / (a + 1));
  let h = d;
  for (let m = 1; m < 10_000; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    for (const numerator of [even, odd]) {
      d = 1 / (1 + numerator * d);
      c = 1 + numerator / c;
      h *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return front * h;
}

/** Upper quantile (p > ½) of Student's t with `df` degrees of freedom. */
export const studentQuantile = (p: number, df: number): number =>
  invert((t) => 1 - 0.5 * betaCdf(df / (df + t * t), df / 2, 0.5), p, 0, 1e6);
