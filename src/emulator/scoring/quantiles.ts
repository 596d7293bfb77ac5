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
