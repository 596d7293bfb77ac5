import { project, type Nuisance } from "./solve.js";

/** Share of the numbers that may be wrong while parameters are still found from the others. */
const mostWrong = 0.2;
/** Beyond so many numbers only some are looked at in pairs. */
const mostInPairs = 120;
/** Rounds of fitting to the closest numbers and choosing the closest again. */
const rounds = 3;

export function mostOutliers(count: number): number {
  return Math.floor(count * mostWrong);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Each of the indices below `count`, or evenly some of them. */
export function someOf(count: number): number[] {
  const stride = Math.ceil(count / mostInPairs);
  return Array.from({ length: Math.ceil(count / stride) }, (_, i) => i * stride);
}

/** What a shift by the median, or a line by the median slope, leaves: a few wrong numbers do not move it. */
function robustRest(published: Float64Array, model: Float64Array, nuisance: Nuisance): Float64Array {
  let scale = 1;
  if (nuisance === "affine") {
    const some = someOf(published.length);
    const slopes = some.flatMap((i) =>
      some
        .filter((j) => j < i && model[j] !== model[i])
        .map(
          (j) => ((published[i] as number) - (published[j] as number)) / ((model[i] as number) - (model[j] as number)),
        ),
    );
    scale = median(slopes);
  }
  const rest = published.map((y, i) => y - scale * (model[i] as number));
  const shift = nuisance === "none" ? 0 : median([...rest]);
  return rest.map((r) => r - shift);
}

export const closest = (rest: Float64Array): number[] =>
  Array.from(rest.keys()).sort((a, b) => Math.abs(rest[a] as number) - Math.abs(rest[b] as number) || a - b);

/** The four of five numbers of which the least is left. */
export const fourOfFive = (rest: Float64Array): number[] =>
  closest(rest).slice(0, rest.length - mostOutliers(rest.length));

/**
 * Least trimmed squares: the indices of the numbers from the closest to the furthest of the model, which is fitted
 * to the four of five that are closest; and the sum of squares that those leave.
 */
export function closestFirst(
  published: Float64Array,
  model: Float64Array,
  nuisance: Nuisance,
): { order: number[]; squares: number } {
  const count = published.length - mostOutliers(published.length);
  let rest = robustRest(published, model, nuisance);
  let order = closest(rest);
  for (let round = 0; round < rounds && nuisance !== "none"; round++) {
    const kept = order.slice(0, count);
    const { shift, scale } = project(
      Float64Array.from(kept, (i) => published[i] as number),
      Float64Array.from(kept, (i) => model[i] as number),
      nuisance,
    );
    rest = published.map((y, i) => y - shift - scale * (model[i] as number));
    order = closest(rest);
  }
  return { order, squares: order.slice(0, count).reduce((sum, i) => sum + (rest[i] as number) ** 2, 0) };
}
