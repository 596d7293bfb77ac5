/** Style control against arena-rank 0.1.1, by numbers that test/oracles/style_control.py made. */
import { expect, test } from "vitest";
import { fitStyle } from "../../../src/metrics/bradley-terry/style.js";
import { styleOracle } from "../../support/style-oracle.js";

const { models, votes, plain, reweighted } = styleOracle;

function comparisons() {
  const index = (name: string): number => models.indexOf(name);
  const relative = (x: number, y: number): number => (x + y === 0 ? 0 : (x - y) / (x + y));
  const isReversed = Uint8Array.from(votes, ([left, right]) => Number(left > right));
  const sign = (i: number): number => (isReversed[i] === 1 ? -1 : 1);
  return {
    a: Int32Array.from(votes, ([left, right]) => Math.min(index(left), index(right))),
    b: Int32Array.from(votes, ([left, right]) => Math.max(index(left), index(right))),
    outcome: Int8Array.from(
      votes,
      ([, , winner], i) => sign(i) * (winner === "tie" ? 0 : winner === "model_a" ? 1 : -1),
    ),
    session: new Int32Array(votes.length),
    covariates: {
      isReversed,
      values: [
        Float64Array.from(votes, ([, , , x, y]) => relative(x, y)),
        Float64Array.from(votes, ([, , , , , x, y]) => relative(x, y)),
      ],
    },
  };
}

test.each([
  ["plain", plain, false],
  ["reweighted", reweighted, true],
] as const)("agrees with arena-rank, %s", (_, { ratings, coeffs }, isReweighted) => {
  const fit = fitStyle(models.length, comparisons(), isReweighted)!;
  // 1e-4 Elo: arena-rank's L-BFGS stops before the optimum, at which this fit is.
  fit.logWorth.forEach((log, i) =>
    expect(Math.abs(1000 + (400 * log) / Math.LN10 - ratings[i]!)).toBeLessThan(1e-4),
  );
  fit.effects.forEach((effect, k) => expect(effect).toBeCloseTo(coeffs[k]!, 6));
});

test("covariates of equal values change nothing, and their effect is 0", () => {
  const own = comparisons();
  const values = own.covariates.values.map((column) => column.map(() => 0.3));
  const constant = { ...own, covariates: { ...own.covariates, values } };
  const fit = fitStyle(models.length, constant, false)!;
  expect(fit.effects).toEqual(new Float64Array(2));
  expect(fitStyle(models.length, { ...own, covariates: undefined }, false)).toBeNull();
});

test("an item that won everything has no fit", () => {
  const own = comparisons();
  const outcome = own.outcome.map((x, i) => (own.a[i] === 0 ? 1 : own.b[i] === 0 ? -1 : x));
  expect(fitStyle(models.length, { ...own, outcome }, false)).toBeNull();
});
