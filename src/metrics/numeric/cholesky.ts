/**
 * Solves A x = right in place of `right`, for a symmetric positive definite A of `size` rows, given
 * as its lower triangle in row-major order; A is overwritten by its Cholesky factor.
 * Returns false, with both arguments overwritten, when A is not positive definite to working precision.
 */
export function solveInPlace(matrix: Float64Array, right: Float64Array, size: number): boolean {
  return factorInPlace(matrix, size) && (substitute(matrix, right, size), true);
}

/** The lower Cholesky factor of A in place of A; false when A is not positive definite. */
export function factorInPlace(matrix: Float64Array, size: number): boolean {
  for (let i = 0; i < size; i++) {
    const row = i * size;
    for (let j = 0; j <= i; j++) {
      const other = j * size;
      let sum = matrix[row + j] as number;
      for (let k = 0; k < j; k++) sum -= (matrix[row + k] as number) * (matrix[other + k] as number);
      if (i > j) matrix[row + j] = sum / (matrix[other + j] as number);
      else if (sum > 0 && Number.isFinite(sum)) matrix[row + i] = Math.sqrt(sum);
      else return false;
    }
  }
  return true;
}

/** Solves L L' x = right in place of `right`, given the factor L. */
export function substitute(factor: Float64Array, right: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    let sum = right[i] as number;
    for (let k = 0; k < i; k++) sum -= (factor[i * size + k] as number) * (right[k] as number);
    right[i] = sum / (factor[i * size + i] as number);
  }
  for (let i = size - 1; i >= 0; i--) {
    let sum = right[i] as number;
    for (let k = i + 1; k < size; k++) sum -= (factor[k * size + i] as number) * (right[k] as number);
    right[i] = sum / (factor[i * size + i] as number);
  }
}
