/** Quantile of ascending values by linear interpolation (type 7); NaN of none. */
export function quantile(sorted: Float64Array, probability: number): number {
  if (sorted.length === 0) return NaN;
  const at = probability * (sorted.length - 1);
  const below = sorted[Math.floor(at)] as number;
  const above = sorted[Math.ceil(at)] as number;
  return below + (at - Math.floor(at)) * (above - below);
}

/** Sum with a running compensation (Neumaier), so that the order of the values does not affect it. */
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

export const meanOf = (values: Float64Array | readonly number[]): number => exactSum(values) / values.length;

/** Root of the squared deviations from the mean over `divisor`. */
export function deviation(values: Float64Array, divisor: number): number {
  const mean = meanOf(values);
  return Math.sqrt(exactSum(values.map((v) => (v - mean) ** 2)) / divisor);
}
