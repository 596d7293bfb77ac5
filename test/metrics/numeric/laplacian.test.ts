import { expect, test } from "vitest";
import { denseLimit, solveByGradients, solvePairs, type PairMatrix } from "../../../src/metrics/numeric/solvers.js";
import { seededRandom } from "../../../src/platform/random.js";

function matrixOf(size: number): { matrix: PairMatrix; right: Float64Array } {
  const random = seededRandom(size);
  const pairs = 4 * size;
  const a = Int32Array.from({ length: pairs }, () => Math.floor(random() * size));
  const b = a.map((i) => (i + 1 + Math.floor(random() * (size - 1))) % size);
  const weight = Float64Array.from({ length: pairs }, random);
  const diagonal = new Float64Array(size).fill(0.1);
  weight.forEach((w, p) => {
    for (const i of [a[p]!, b[p]!]) diagonal[i] = diagonal[i]! + w;
  });
  return { matrix: { diagonal, a, b, weight }, right: Float64Array.from({ length: size }, () => random() - 0.5) };
}

test("conjugate gradients and Cholesky give the same solution", () => {
  const { matrix, right } = matrixOf(denseLimit);
  const [dense, sparse] = [right.slice(), right.slice()];
  expect([solvePairs(matrix, dense), solveByGradients(matrix, sparse)]).toEqual([true, true]);
  dense.forEach((x, i) => expect(sparse[i]).toBeCloseTo(x, 9));
});

test("both reject a matrix that is not positive definite", () => {
  const { matrix, right } = matrixOf(20);
  const negative = { ...matrix, diagonal: matrix.diagonal.map((d) => -d) };
  expect(solvePairs(negative, right.slice())).toBe(false);
  expect(solveByGradients({ ...matrix, diagonal: matrix.diagonal.map((d) => d * 1e-3) }, right.slice())).toBe(false);
});

test("solves an empty system", () => {
  const { matrix } = matrixOf(denseLimit + 1);
  const zero = new Float64Array(denseLimit + 1);
  expect(solvePairs(matrix, zero)).toBe(true);
  expect(zero.every((x) => x === 0)).toBe(true);
});
