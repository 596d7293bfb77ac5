/** ln Γ(x) for x > 0, Stirling's series after shifting x above 15; about 1e-15 relative. */
export function logGamma(x: number): number {
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
 * Slow and sure: 200 halvings end at the last bit.
 */
export function invert(cdf: (x: number) => number, p: number, low: number, high: number): number {
  let [a, b] = [low, high];
  for (let step = 0; step < 200; step += 1) {
    const middle = (a + b) / 2;
    if (middle <= a || middle >= b) break;
    if (cdf(middle) < p) a = middle;
    else b = middle;
  }
  return (a + b) / 2;
}
