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
import { runsOf } from "../../support/whole.js";

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

const davidson = { ...convention, ties: "davidson" } as const;

const studies = fc
  .array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(9), fc.nat(9), fc.nat(6)), {
    minLength: 1,
    maxLength: 20,
  })
  .map((list) => list.filter(([a, b]) => a !== b));

test("with Davidson's ties the fit is where the derivatives of the posterior are zero", () => {
  fc.assert(
    fc.property(studies, (list) => {
      const fit = bayesianElo(pairs(6, list), davidson);
      const sum = (column: 2 | 3 | 4): number =>
        list.reduce((total, pair) => total + pair[column], 0);
      const [tied, decided] = [sum(4), sum(2) + sum(3)];
      expect(fit.converged).toBe(true);
      if (tied === 0 || decided === 0) return;
      const { strength } = fit;
      const nu = (2 * (fit.tieChance as number)) / (1 - (fit.tieChance as number));
      const slope = Array.from(strength, (own) => davidson.shape - 1 - davidson.rate * own);
      let surplus = tied;
      for (const [a, b, won, lost, draws] of list) {
        const n = won + lost + draws;
        const [x, y] = [strength[a]!, strength[b]!];
        const whole = x + y + nu * Math.sqrt(x * y);
        const tie = (nu * Math.sqrt(x * y)) / whole;
        slope[a] = slope[a]! + won + draws / 2 - n * (x / whole + tie / 2);
        slope[b] = slope[b]! + lost + draws / 2 - n * (y / whole + tie / 2);
        surplus -= n * tie;
      }
      // 1e-8: a derivative of sums of up to 300 comparisons, at a mode found to 1e-9 Elo.
      for (const value of [...slope, surplus]) expect(Math.abs(value)).toBeLessThan(1e-8);
    }),
    { numRuns: runsOf(150) },
  );
});

test("without ties Davidson's model is the usual one; with ties only, every item is at the prior's mode", () => {
  const decided = pairs(3, [
    [0, 1, 3, 2],
    [1, 2, 4, 1],
  ]);
  const half = bayesianElo(decided, { ...davidson, ties: "half" });
  expect(bayesianElo(decided, davidson)).toEqual({ ...half, tieChance: 0 });
  const tied = bayesianElo(pairs(3, [[0, 1, 0, 0, 5]]), davidson);
  expect([...tied.elo]).toEqual([2000, 2000, 2000]);
  expect(tied).toMatchObject({ converged: true, tieChance: 1 });
});

test("more ties bring ratings less close together than half wins do", () => {
  const counts = pairs(2, [[0, 1, 12, 4, 40]]);
  const spread = (ties: "half" | "davidson" | "exclude"): number => {
    const { elo } = bayesianElo(counts, { ...davidson, ties });
    return elo[0]! - elo[1]!;
  };
  expect(spread("davidson")).toBeGreaterThan(spread("half"));
});
