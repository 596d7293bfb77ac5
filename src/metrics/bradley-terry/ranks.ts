/** Rank of each value, 1 the largest; equal values share the better rank. */
export function ranksOf(values: Float64Array): Int32Array {
  const sorted = Float64Array.from(values).sort().reverse();
  return Int32Array.from(values, (value) => sorted.indexOf(value) + 1);
}
