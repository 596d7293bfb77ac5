import { maxOutliers } from "../../target/index.js";
import { project, type Nuisance } from "./solve.js";
import { dot, pick, residuals } from "./vectors.js";

/** Numbers beyond which only some are compared in pairs. */
const maxInPairs = 120;
/** Rounds of fitting to the closest numbers and choosing the closest again. */
const rounds = 3;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** All indices below `count`, or an even sample of them. */
export function someOf(count: number): number[] {
  const stride = Math.ceil(count / maxInPairs);
  return Array.from({ length: Math.ceil(count / stride) }, (_, i) => i * stride);
}

/** Residuals of a shift by the median, or of a line with the median slope: a few wrong numbers do not move them. */
function robustRest(published: Float64Array, model: Float64Array, nuisance: Nuisance): Float64Array {
  const some = someOf(published.length);
  const slope = (i: number, j: number): number =>
    ((published[i] as number) - (published[j] as number)) / ((model[i] as number) - (model[j] as number));
  const slopes = (): number[] =>
    some.flatMap((i) => some.filter((j) => j < i && model[j] !== model[i]).map((j) => slope(i, j)));
  const rest = residuals(published, model, 0, nuisance === "affine" ? median(slopes()) : 1);
  const shift = nuisance === "none" ? 0 : median([...rest]);
  return rest.map((r) => r - shift);
}

const closestOf = (rest: Float64Array): number[] =>
  Array.from(rest.keys()).sort((a, b) => Math.abs(rest[a] as number) - Math.abs(rest[b] as number) || a - b);

/** The indices of the four fifths with the smallest residuals. */
export const fourFifths = (rest: Float64Array): number[] =>
  closestOf(rest).slice(0, rest.length - maxOutliers(rest.length));

/**
 * Least trimmed squares: the indices of the numbers from the closest to the model to the furthest, the model being
 * fitted to the closest four fifths, and the sum of the squares of their residuals.
 */
export function closestFirst(
  published: Float64Array,
  model: Float64Array,
  nuisance: Nuisance,
): { order: number[]; squares: number } {
  const count = published.length - maxOutliers(published.length);
  let rest = robustRest(published, model, nuisance);
  let order = closestOf(rest);
  for (let round = 0; round < rounds && nuisance !== "none"; round++) {
    const kept = order.slice(0, count);
    const { shift, scale } = project(pick(published, kept), pick(model, kept), nuisance);
    rest = residuals(published, model, shift, scale);
    order = closestOf(rest);
  }
  const kept = pick(rest, order.slice(0, count));
  return { order, squares: dot(kept, kept) };
}
