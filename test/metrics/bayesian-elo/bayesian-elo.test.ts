import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bayesianElo } from "../../../src/metrics/bayesian-elo/bayesian-elo.js";
import {
  mmStrengths,
  newtonStrengths,
  strengthData,
} from "../../../src/metrics/bayesian-elo/strengths.js";
import { defaultConventions, type PairCounts } from "../../../src/metrics/index.js";
import { pairs } from "../../support/pair-counts.js";

const convention = defaultConventions.bayesian_elo;

const counts = fc
  .array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(9), fc.nat(9), fc.nat(3)), { maxLength: 20 })
  .map((list) =>
    pairs(
      6,
      list.filter(([a, b]) => a !== b),
    ),
  );

/** Each item is compared only with the next: the slowest graph for MM. */
const ladderOf = (times: number): PairCounts =>
  pairs(
    200,
    Array.from(
      { length: 199 },
      (_, i) => [i, i + 1, times * (3 + (i % 4)), times * 4, times * (i % 2)] as const,
    ),
  );
const ladder = ladderOf(1);

test.each([1, 100, 10_000])(
  "a sparse ladder of 200 items, %i times over, converges to the fixed point",
  (times) => {
    const ladder = ladderOf(times);
    const fit = bayesianElo(ladder, convention);
    expect(fit.converged).toBe(true);
    expect(fit.components).toBe(1);
    expect(fit.iterations).toBeLessThan(50);
    // One MM step from the fixed point moves nothing: this tests the definition, not the method.
    const step = mmStrengths(strengthData(ladder), convention, Infinity, fit.strength);
    expect(step.maxChangeElo).toBeLessThan(1e-9);
  },
);

test("reports two separate components", () => {
  const fit = bayesianElo(
    pairs(5, [
      [0, 3, 2, 1, 0],
      [1, 2, 1, 1, 0],
      [2, 4, 0, 3, 1],
    ]),
    convention,
  );
  expect(fit.components).toBe(2);
  expect([...fit.component]).toEqual([0, 1, 1, 0, 1]);
  expect(fit.converged).toBe(true);
});

test("Newton's method and a long MM run agree", () => {
  fc.assert(
    fc.property(counts, (c) => {
      const data = strengthData(c);
      const newton = newtonStrengths(data, convention);
      const mm = mmStrengths(data, convention, 1e-12);
      expect(newton.converged).toBe(true);
      // MM stops when a step is 1e-12 Elo; with a rate of 0.1 the rest of the way is under 1e-8 of λ.
      newton.strength.forEach((s, i) => expect(s / mm.strength[i]!).toBeCloseTo(1, 8));
    }),
    { numRuns: 30 },
  );
});

describe("next to a fault", () => {
  test("a truncated run reports that it did not converge", () => {
    expect(mmStrengths(strengthData(ladder), convention, 1e-9, undefined, 10).converged).toBe(
      false,
    );
    expect(newtonStrengths(strengthData(ladder), convention, undefined, 2).converged).toBe(false);
  });

  test("NaN does not converge", () => {
    const none = strengthData(pairs(2, [[0, 1, NaN, 1, 0]]));
    expect(newtonStrengths(none, convention).converged).toBe(false);
    expect(mmStrengths(none, convention, 1).converged).toBe(false);
  });

  test("an item without comparisons is at the anchor", () => {
    expect(bayesianElo(pairs(2, []), convention).elo[1]).toBeCloseTo(2000, 9);
  });
});
