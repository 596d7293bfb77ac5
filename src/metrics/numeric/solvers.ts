/** Linear systems, conjugate gradients and Anderson acceleration. */
import { dot } from "./arrays.js";

/**
 * Solves A x = right for A of `size` rows, its lower triangle in row-major order; overwrites both.
 * False when A is not positive definite.
 */
function solveInPlace(matrix: Float64Array, right: Float64Array, size: number): boolean {
  return factorInPlace(matrix, size) && (substitute(matrix, right, size), true);
}

/** Overwrites A by its lower Cholesky factor; false when A is not positive definite. */
export function factorInPlace(matrix: Float64Array, size: number): boolean {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    for (let block = 0; block <= i; block += 4) {
      const isWhole = block + 3 <= i;
      if (isWhole) subtractFour(matrix, size, row, block);
      for (let j = block; j <= i && j < block + 4; j++) {
        const other = j * size;
        let sum = matrix[row + j]!;
        for (let k = isWhole ? block : 0; k < j; k++) sum -= matrix[row + k]! * matrix[other + k]!;
        if (i > j) matrix[row + j] = sum / matrix[other + j]!;
        else if (sum > 0 && Number.isFinite(sum)) matrix[row + i] = Math.sqrt(sum);
        else return false;
      }
    }
  }
  return true;
}

/** Each entry has its terms in the same order as alone. */
function subtractFour(matrix: Float64Array, size: number, row: number, block: number): void {
  const first = block * size;
  const second = first + size;
  const third = second + size;
  const fourth = third + size;
  const at = row + block;
  let a = matrix[at]!;
  let b = matrix[at + 1]!;
  let c = matrix[at + 2]!;
  let d = matrix[at + 3]!;
  for (let k = 0; k < block; k++) {
    const entry = matrix[row + k]!;
    a -= entry * matrix[first + k]!;
    b -= entry * matrix[second + k]!;
    c -= entry * matrix[third + k]!;
    d -= entry * matrix[fourth + k]!;
  }
  matrix[at] = a;
  matrix[at + 1] = b;
  matrix[at + 2] = c;
  matrix[at + 3] = d;
}

/** Solves L L' x = right, overwriting `right`, given the factor L. */
export function substitute(factor: Float64Array, right: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= factor[i * size + k]! * right[k]!;
    right[i] = sum / factor[i * size + i]!;
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = right[i]!;
    for (let k = i + 1; k < size; k++) sum -= factor[k * size + i]! * right[k]!;
    right[i] = sum / factor[i * size + i]!;
  }
}

/** `diagonal`, and -weight[p] at (a[p], b[p]) and (b[p], a[p]); pairs may repeat. */
export interface PairMatrix {
  readonly diagonal: Float64Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly weight: Float64Array;
}

export const denseLimit = 100;
const residualShare = 1e-12;

/** Overwrites `right` by the solution; false if the matrix is not positive definite. */
export function solvePairs(matrix: PairMatrix, right: Float64Array): boolean {
  return right.length <= denseLimit ? solveDense(matrix, right) : solveByGradients(matrix, right);
}

function solveDense({ diagonal, a, b, weight }: PairMatrix, right: Float64Array): boolean {
  const size = right.length;
  const dense = new Float64Array(size * size);
  diagonal.forEach((value, i) => (dense[i * size + i] = value));
  for (let p = 0; p < a.length; p++) {
    const row = Math.max(a[p]!, b[p]!);
    const cell = row * size + Math.min(a[p]!, b[p]!);
    dense[cell]! -= weight[p]!;
  }
  return solveInPlace(dense, right, size);
}

/** Preconditioned with the diagonal. */
export function solveByGradients(matrix: PairMatrix, right: Float64Array): boolean {
  const size = right.length;
  const { diagonal } = matrix;
  const solution = new Float64Array(size);
  const residual = right.slice();
  const scaled = residual.map((r, i) => r / diagonal[i]!);
  const direction = scaled.slice();
  const image = new Float64Array(size);
  let energy = dot(residual, scaled);
  const enough = energy * residualShare * residualShare;
  for (let step = 0; step < 20 * size && energy > enough; step++) {
    multiply(matrix, direction, image);
    const curvature = dot(direction, image);
    if (!(curvature > 0)) return false;
    const length = energy / curvature;
    for (let i = 0; i < size; i++) {
      solution[i]! += length * direction[i]!;
      residual[i]! -= length * image[i]!;
      scaled[i] = residual[i]! / diagonal[i]!;
    }
    const next = dot(residual, scaled);
    const turn = next / energy;
    for (let i = 0; i < size; i++) direction[i] = scaled[i]! + turn * direction[i]!;
    energy = next;
  }
  right.set(solution);
  return Number.isFinite(energy);
}

function multiply(
  { diagonal, a, b, weight }: PairMatrix,
  x: Float64Array,
  into: Float64Array,
): void {
  for (let i = 0; i < x.length; i++) into[i] = diagonal[i]! * x[i]!;
  for (let p = 0; p < a.length; p++) {
    const i = a[p]!;
    const j = b[p]!;
    const w = weight[p]!;
    into[i]! -= w * x[j]!;
    into[j]! -= w * x[i]!;
  }
}

/** Rounds that the next guess uses. */
const depth = 6;

interface Anderson {
  /** After `x` and its image g(x). */
  next(x: Float64Array, image: Float64Array): Float64Array;
}

/**
 * Anderson acceleration of x ← g(x) (Walker and Ni 2011): combines the last g(x) whose residuals
 * cancel best; restarts from g(x) if the residual grows.
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
        last = undefined;
        images = [];
        residuals = [];
        smallest = Infinity;
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
      const share = shareOfResiduals(residuals, residual);
      const next = image.slice();
      images.forEach((change, k) => {
        for (let i = 0; i < next.length; i++) next[i]! -= share[k]! * change[i]!;
      });
      return next;
    },
  };
}

/** By normal equations; zeros if singular. */
function shareOfResiduals(
  residuals: readonly Float64Array[],
  residual: Float64Array,
): Float64Array {
  const size = residuals.length;
  const normal = new Float64Array(size * size);
  const right = Float64Array.from(residuals, (change) => dot(change, residual));
  residuals.forEach((row, i) => {
    for (let j = 0; j <= i; j++) normal[i * size + j] = dot(row, residuals[j]!);
    normal[i * size + i] = normal[i * size + i]! * (1 + 1e-12);
  });
  return solveInPlace(normal, right, size) ? right : new Float64Array(size);
}

function minus(x: Float64Array, y: Float64Array): Float64Array {
  return x.map((value, i) => value - y[i]!);
}
