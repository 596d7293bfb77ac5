import { dot } from "./arrays.js";
import { solveInPlace } from "./cholesky.js";

/** A symmetric matrix: `diagonal` on it, -weight[p] at (a[p], b[p]) and (b[p], a[p]). Pairs may repeat. */
export interface PairMatrix {
  readonly diagonal: Float64Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly weight: Float64Array;
}

/** Up to this size a dense Cholesky factor is faster; beyond it the matrix is never stored. */
export const denseLimit = 100;
/** More precise than a Newton step needs; the outer iteration corrects the rest. */
const residualShare = 1e-12;

/** Solves for `right` in place. Returns false if the matrix is not positive definite. */
export function solvePairs(matrix: PairMatrix, right: Float64Array): boolean {
  return right.length <= denseLimit ? solveDense(matrix, right) : solveByGradients(matrix, right);
}

function solveDense({ diagonal, a, b, weight }: PairMatrix, right: Float64Array): boolean {
  const size = right.length;
  const dense = new Float64Array(size * size);
  diagonal.forEach((value, i) => (dense[i * size + i] = value));
  for (let p = 0; p < a.length; p++) {
    const row = Math.max(a[p] as number, b[p] as number);
    const cell = row * size + Math.min(a[p] as number, b[p] as number);
    dense[cell] = (dense[cell] as number) - (weight[p] as number);
  }
  return solveInPlace(dense, right, size);
}

/** Conjugate gradients, preconditioned with the diagonal. */
export function solveByGradients(matrix: PairMatrix, right: Float64Array): boolean {
  const size = right.length;
  const { diagonal } = matrix;
  const solution = new Float64Array(size);
  const residual = right.slice();
  const scaled = residual.map((r, i) => r / (diagonal[i] as number));
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
      solution[i] = (solution[i] as number) + length * (direction[i] as number);
      residual[i] = (residual[i] as number) - length * (image[i] as number);
      scaled[i] = (residual[i] as number) / (diagonal[i] as number);
    }
    const next = dot(residual, scaled);
    const turn = next / energy;
    for (let i = 0; i < size; i++) direction[i] = (scaled[i] as number) + turn * (direction[i] as number);
    energy = next;
  }
  right.set(solution);
  return Number.isFinite(energy);
}

function multiply({ diagonal, a, b, weight }: PairMatrix, x: Float64Array, into: Float64Array): void {
  for (let i = 0; i < x.length; i++) into[i] = (diagonal[i] as number) * (x[i] as number);
  for (let p = 0; p < a.length; p++) {
    const [i, j, w] = [a[p] as number, b[p] as number, weight[p] as number];
    into[i] = (into[i] as number) - w * (x[j] as number);
    into[j] = (into[j] as number) - w * (x[i] as number);
  }
}
