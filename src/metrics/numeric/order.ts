/** The one definition of equal numbers and ranks, here and as `rank_of()` in SQL. */

/**
 * Absolute up to 1, relative beyond; above the stop of fits (1e-12 in log worths) and rounding,
 * below 1 / n², by which means of n whole scores differ.
 */
export const orderTolerance = 1e-11;

export const isAbove = (x: number, y: number): boolean =>
  x - y >= orderTolerance * Math.max(1, Math.abs(y));

/** 1 and the number of values above; equal values share the better rank. */
export function ranksOf(values: Float64Array): Int32Array {
  const order = Array.from(values.keys()).sort((i, j) => values[j]! - values[i]!);
  const ranks = new Int32Array(values.length);
  let above = 0;
  for (const i of order) {
    while (isAbove(values[order[above]!]!, values[i]!)) above++;
    ranks[i] = above + 1;
  }
  return ranks;
}

export function rankedBy(values: Float64Array): number[] {
  const ranks = ranksOf(values);
  return Array.from(values.keys()).sort((i, j) => ranks[i]! - ranks[j]! || i - j);
}
