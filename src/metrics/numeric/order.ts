/**
 * When computed numbers are equal, and the ranks that follow: the one definition of order, here and
 * as `rank_of()` in SQL.
 */

/**
 * Numbers that differ by less are equal, absolute up to 1 and relative beyond. A fit stops at steps
 * of 1e-12 in log worths and 1e-9 in Elo, and rounding is below that; the means of two items with n
 * scores each on a whole scale differ by 1 / n² or more.
 */
export const orderTolerance = 1e-11;

/** Whether one number is above another by more than the tolerance. */
export const isAbove = (x: number, y: number): boolean =>
  x - y >= orderTolerance * Math.max(1, Math.abs(y));

/**
 * Rank of each value: 1 and the number of values above it, so that equal values share the better
 * rank.
 */
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
