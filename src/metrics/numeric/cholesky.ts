/**
 * Solves A x = right in place of `right`, for a symmetric positive definite A of `size` rows, given
 * as its lower triangle in row-major order; A is overwritten by its Cholesky factor.
 * Returns false, with both arguments overwritten, when A is not positive definite to working precision.
 */
export function solveInPlace(matrix: Float64Array, right: Float64Array, size: number): boolean {
  return factorInPlace(matrix, size) && (substitute(matrix, right, size), true);
}

/**
 * The lower Cholesky factor of A in place of A; false when A is not positive definite. Four rows at a time: their sums do not
 * wait for each other, which halves the time for 50 rows. Each sum has its order, so that the factor is that of single rows.
 */
export function factorInPlace(matrix: Float64Array, size: number): boolean {
  for (let first = 0; first < size; first += 4) {
    const rows = Math.min(4, size - first);
    if (rows === 4) factorFour(matrix, size, first);
    for (let i = first; i < first + rows; i++) if (!factorRow(matrix, size, i, rows === 4 ? first : 0)) return false;
  }
  return true;
}

/** Row `i` from column `from` on, once the rows above it and its columns before `from` are factored. */
function factorRow(matrix: Float64Array, size: number, i: number, from: number): boolean {
  const row = i * size;
  for (let j = from; j <= i; j++) {
    const other = j * size;
    let sum = matrix[row + j] as number;
    for (let k = 0; k < j; k++) sum -= (matrix[row + k] as number) * (matrix[other + k] as number);
    if (i > j) matrix[row + j] = sum / (matrix[other + j] as number);
    else if (sum > 0 && Number.isFinite(sum)) matrix[row + i] = Math.sqrt(sum);
    else return false;
  }
  return true;
}

/** The columns before `first` of the four rows from `first` on. */
function factorFour(matrix: Float64Array, size: number, first: number): void {
  const [r0, r1, r2, r3] = [first * size, (first + 1) * size, (first + 2) * size, (first + 3) * size];
  for (let j = 0; j < first; j++) {
    const other = j * size;
    let s0 = matrix[r0 + j] as number;
    let s1 = matrix[r1 + j] as number;
    let s2 = matrix[r2 + j] as number;
    let s3 = matrix[r3 + j] as number;
    for (let k = 0; k < j; k++) {
      const l = matrix[other + k] as number;
      s0 -= (matrix[r0 + k] as number) * l;
      s1 -= (matrix[r1 + k] as number) * l;
      s2 -= (matrix[r2 + k] as number) * l;
      s3 -= (matrix[r3 + k] as number) * l;
    }
    const pivot = matrix[other + j] as number;
    matrix[r0 + j] = s0 / pivot;
    matrix[r1 + j] = s1 / pivot;
    matrix[r2 + j] = s2 / pivot;
    matrix[r3 + j] = s3 / pivot;
  }
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
