/** Upper probability of a two-sided interval: 0.975 for 95 %. */
export const upperProbability = (level: number): number => 0.5 + level / 200;

/**
 * Depth of the lower quartile among n scores in order, counted from 1; the upper quartile is as deep from above
 * (Hyndman and Fan 1996 for the types, Tukey 1977 for hinges).
 */
export const quartileDepths = {
  linear: (n: number): number => (n + 3) / 4,
  exclusive: (n: number): number => (n + 1) / 4,
  type_5: (n: number): number => n / 4 + 1 / 2,
  type_8: (n: number): number => n / 4 + 5 / 12,
  hinges: (n: number): number => (Math.ceil(n / 2) + 1) / 2,
  halves: (n: number): number => (Math.floor(n / 2) + 1) / 2,
} as const;

/** The score at a depth, by linear interpolation; NaN of none. */
export function atDepth(sorted: Float64Array, depth: number): number {
  const at = Math.min(sorted.length, Math.max(1, depth));
  const below = sorted[Math.floor(at) - 1] ?? NaN;
  const above = sorted[Math.ceil(at) - 1] ?? NaN;
  return below + (at - Math.floor(at)) * (above - below);
}
