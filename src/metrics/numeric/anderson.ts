import { dot } from "./arrays.js";
import { solveInPlace } from "./cholesky.js";

/** Number of previous rounds that the next guess uses. */
const depth = 6;

interface Anderson {
  /** The next x after `x` and its image g(x). */
  next(x: Float64Array, image: Float64Array): Float64Array;
}

/**
 * Anderson acceleration of a fixed-point iteration x ← g(x) (Walker and Ni 2011): the next x is the
 * combination of the last few g(x) whose residuals g(x) - x cancel best. If the residual grows, it
 * restarts from g(x) itself, so that it is never further from the fixed point than plain iteration.
 */
export function createAnderson(): Anderson {
  let last: { readonly image: Float64Array; readonly residual: Float64Array } | undefined;
  let images: Float64Array[] = [];
  let residuals: Float64Array[] = [];
  let smallest = Infinity;
  return {
    next(x, image) {
      const residual = minus(image, x);
      const size = Math.sqrt(dot(residual, residual));
      if (size > 2 * smallest) {
        [last, images, residuals, smallest] = [undefined, [], [], Infinity];
      }
      smallest = Math.min(smallest, size);
      if (last !== undefined) {
        images.push(minus(image, last.image));
        residuals.push(minus(residual, last.residual));
        if (images.length > depth) {
          images.shift();
          residuals.shift();
        }
      }
      last = { image, residual };
      const share = sharesOf(residuals, residual);
      const next = image.slice();
      images.forEach((change, k) => {
        for (let i = 0; i < next.length; i++)
          next[i] = (next[i] as number) - (share[k] as number) * (change[i] as number);
      });
      return next;
    },
  };
}

/** Least squares by normal equations; zeros if they are singular. */
function sharesOf(residuals: readonly Float64Array[], residual: Float64Array): Float64Array {
  const size = residuals.length;
  const normal = new Float64Array(size * size);
  const right = Float64Array.from(residuals, (change) => dot(change, residual));
  residuals.forEach((row, i) => {
    for (let j = 0; j <= i; j++) normal[i * size + j] = dot(row, residuals[j] as Float64Array);
    normal[i * size + i] = (normal[i * size + i] as number) * (1 + 1e-12);
  });
  return solveInPlace(normal, right, size) ? right : new Float64Array(size);
}

function minus(x: Float64Array, y: Float64Array): Float64Array {
  return x.map((value, i) => value - (y[i] as number));
}
