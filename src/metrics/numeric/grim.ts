const largestCount = 100_000;

/**
 * GRIM (Brown and Heathers 2017): the smallest n with which each of the numbers can be the mean of n whole ones, times `unit`:
 * 100 for percentages.
 * @param halfWidthOf the largest distance of a published number from what it was before it was rounded; 0 if it was not
 * @returns null if there is none up to 100,000
 */
export function smallestCount(
  numbers: readonly number[],
  unit: number,
  halfWidthOf: (value: number) => number,
): number | null {
  const means = numbers.map((value) => ({ mean: value / unit, halfWidth: halfWidthOf(value) / unit }));
  for (let n = 1; n <= largestCount; n++) {
    const areMeans = means.every(({ mean, halfWidth }) => {
      const sum = mean * n;
      const noise = 4 * Number.EPSILON * Math.max(1, Math.abs(sum));
      return Math.abs(sum - Math.round(sum)) <= halfWidth * n + noise;
    });
    if (areMeans) return n;
  }
  return null;
}
