import { dot } from "./arrays.js";
import { solveInPlace } from "./cholesky.js";

/** Rounds that the next guess looks back on. */
const depth = 6;

/**
 * Anderson acceleration of a fixed-point iteration x ← g(x) (Walker and Ni 2011): the next x is the
 * combination of the last few g(x) whose residuals g(x) - x cancel best. Where the residual grows, it
 * forgets and takes g(x) itself, so that it gets no further from the fixed point than plain iteration.
 */
export class Anderson {
  private last: { image: Float64Array; residual: Float64Array } | undefined;
  private images: Float64Array[] = [];
  private residuals: Float64Array[] = [];
  private smallest = Infinity;

  next(x: Float64Array, image: Float64Array): Float64Array {
    const residual = minus(image, x);
    const size = Math.sqrt(dot(residual, residual));
    if (size > 2 * this.smallest) this.forget();
    this.smallest = Math.min(this.smallest, size);
    if (this.last) {
      this.images.push(minus(image, this.last.image));
      this.residuals.push(minus(residual, this.last.residual));
      if (this.images.length > depth) {
        this.images.shift();
        this.residuals.shift();
      }
    }
    this.last = { image, residual };
    const share = this.shares(residual);
    const next = image.slice();
    this.images.forEach((change, k) => {
      for (let i = 0; i < next.length; i++)
        next[i] = (next[i] as number) - (share[k] as number) * (change[i] as number);
    });
    return next;
  }

  private forget(): void {
    this.last = undefined;
    this.images = [];
    this.residuals = [];
    this.smallest = Infinity;
  }

  /** Least squares by normal equations; zeros where they are singular. */
  private shares(residual: Float64Array): Float64Array {
    const size = this.residuals.length;
    const normal = new Float64Array(size * size);
    const right = Float64Array.from(this.residuals, (change) => dot(change, residual));
    this.residuals.forEach((row, i) => {
      for (let j = 0; j <= i; j++) normal[i * size + j] = dot(row, this.residuals[j] as Float64Array);
      normal[i * size + i] = (normal[i * size + i] as number) * (1 + 1e-12);
    });
    return solveInPlace(normal, right, size) ? right : new Float64Array(size);
  }
}

function minus(x: Float64Array, y: Float64Array): Float64Array {
  return x.map((value, i) => value - (y[i] as number));
}
