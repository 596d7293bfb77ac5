import { expect, test } from "vitest";
import {
  denseLimit,
  type PairMatrix,
  solveByGradients,
  solvePairs,
} from "../../src/metrics/numeric/solvers.js";
import { gammaQuantile, normalQuantile, tQuantile } from "../../src/metrics/numeric/statistics.js";
import { seededRandom } from "../../src/platform/random.js";

/** scipy.stats.gamma.ppf(p, shape) at .005, .5 and .995, scipy 1.17.1. */
const gamma: Record<string, [number, number, number]> = {
  "0.5": [1.9635211110257972e-5, 0.227468211559786, 3.9397192883112084],
  "4.5": [0.8674664524983301, 4.1714163461264775, 11.794675390628694],
  "499.5": [443.8105676087593, 499.166706241294, 558.9452263393205],
  "500": [444.28176159073416, 499.6667062016905, 559.4740331615958],
  "1000": [920.4240461633592, 999.6666864269652, 1083.3321501957791],
  "100000": [99187.32963316483, 99999.6666668642, 100816.42696055658],
  "1000000": [997426.0490212408, 999999.6666666864, 1002577.707576092],
};

/** scipy.stats.t.ppf(.975, df), scipy 1.17.1. */
const t: Record<string, number> = {
  "1": 12.706204736174694,
  "2": 4.302652729749462,
  "29": 2.045229642132703,
  "1000": 1.9623390808264083,
  "100000": 1.9599877075346095,
};

test.each(Object.entries(gamma))("quantiles of Gamma(%s) to 1e-10 relative", (shape, wanted) => {
  [0.005, 0.5, 0.995].forEach((p, i) => {
    expect(gammaQuantile(p, Number(shape)) / wanted[i]!).toBeCloseTo(1, 10);
  });
});

test.each(Object.entries(t))(
  "t quantile with %s degrees of freedom to 1e-12 relative",
  (df, wanted) => {
    expect(tQuantile(0.975, Number(df)) / wanted).toBeCloseTo(1, 12);
  },
);

test("the normal quantile of a 95 % interval", () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 14);
});

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
  return {
    matrix: { diagonal, a, b, weight },
    right: Float64Array.from({ length: size }, () => random() - 0.5),
  };
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
  expect(
    solveByGradients({ ...matrix, diagonal: matrix.diagonal.map((d) => d * 1e-3) }, right.slice()),
  ).toBe(false);
});
