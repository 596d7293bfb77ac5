import type { FixedPoint, Prior } from "./bradley-terry.js";
import type { Comparison } from "./items.js";

/** What one result of a comparison says about log λ of its two items and about log ν. */
type Feature = readonly [ofA: number, ofB: number, ofTie: number];
const results: readonly (readonly [result: Comparison["result"], feature: Feature])[] = [
  [1, [1, 0, 0]],
  [0, [0, 1, 0]],
  [0.5, [0.5, 0.5, 1]],
];

/**
 * The mode of Bradley-Terry with Davidson's ties (1970) and a Gamma prior on λ: an exponential family, whose slopes are
 * observed minus expected features and whose curvature is their covariance, climbed by Newton's method. ν is 0 without
 * ties; with nothing but ties it never converges, and every item stays at the prior's mode.
 */
export function davidsonMode(
  items: readonly string[],
  comparisons: readonly Comparison[],
  { shape, rate }: Prior,
): FixedPoint {
  const number = new Map(items.map((item, index) => [item, index]));
  const tied = comparisons.filter(({ result }) => result === 0.5).length;
  const prior = items.map(() => Math.log((shape - 1) / rate));
  if (tied === comparisons.length) return { logs: prior, iterations: 0, converged: true };
  const size = items.length + (tied > 0 ? 1 : 0);
  let at = tied > 0 ? [...prior, 0] : prior;
  for (let iterations = 1; iterations <= 200; iterations += 1) {
    const slope = at.map((value, i) => (i < items.length ? shape - 1 - rate * Math.exp(value) : 0));
    const bend = at.map((value, i) => at.map((_, j) => (i === j && i < items.length ? rate * Math.exp(value) : 0)));
    for (const { a, b, result } of comparisons) {
      const places = [number.get(a) ?? 0, number.get(b) ?? 0, items.length].slice(0, tied > 0 ? 3 : 2);
      const possible = results.filter(([one]) => tied > 0 || one !== 0.5);
      const weights = possible.map(([, f]) =>
        Math.exp(places.reduce((sum, p, k) => sum + (f[k] ?? 0) * (at[p] ?? 0), 0)),
      );
      const whole = weights.reduce((sum, weight) => sum + weight, 0);
      const expected = (k: number, l?: number): number =>
        possible.reduce(
          (sum, [, f], o) => sum + ((weights[o] ?? 0) / whole) * (f[k] ?? 0) * (l === undefined ? 1 : (f[l] ?? 0)),
          0,
        );
      const seen = results.find(([one]) => one === result)?.[1];
      places.forEach((row, k) => {
        slope[row] = (slope[row] ?? 0) + (seen?.[k] ?? 0) - expected(k);
        places.forEach((column, l) => {
          const line = bend[row] ?? [];
          line[column] = (line[column] ?? 0) + expected(k, l) - expected(k) * expected(l);
        });
      });
    }
    const step = solved(bend, slope);
    const largest = Math.max(...step.map(Math.abs));
    at = at.map((value, i) => value + (step[i] ?? 0) * Math.min(1, 2 / largest));
    if (largest < 1e-13 * size) return { logs: at.slice(0, items.length), iterations, converged: true };
  }
  return { logs: at.slice(0, items.length), iterations: 200, converged: false };
}

/** Solves a linear system by elimination, largest pivot first. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i] ?? 0]);
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let k = 0; k < rows.length; k += 1) {
    let pivot = k;
    for (let i = k + 1; i < rows.length; i += 1) if (Math.abs(cell(i, k)) > Math.abs(cell(pivot, k))) pivot = i;
    const [above = [], own = []] = [rows[k], rows[pivot]];
    [rows[k], rows[pivot]] = [own, above];
    for (let i = k + 1; i < rows.length; i += 1) {
      const share = cell(i, k) / cell(k, k);
      rows[i] = (rows[i] ?? []).map((value, j) => value - share * (own[j] ?? 0));
    }
  }
  const found = rows.map(() => 0);
  for (let i = rows.length - 1; i >= 0; i -= 1) {
    const rest = found.reduce((sum, value, j) => (j > i ? sum + cell(i, j) * value : sum), 0);
    found[i] = (cell(i, rows.length) - rest) / cell(i, i);
  }
  return found;
}
