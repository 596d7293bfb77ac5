import fc from "fast-check";
import { expect, test } from "vitest";
import { bayesianElo } from "../../../src/metrics/bayesian-elo/bayesian-elo.js";
import { defaultConventions } from "../../../src/metrics/conventions.js";
import { pairs } from "../../support/pair-counts.js";
import { runsOf } from "../../support/whole.js";

const convention = { ...defaultConventions.bayesian_elo, ties: "davidson" } as const;

const studies = fc
  .array(fc.tuple(fc.nat(5), fc.nat(5), fc.nat(9), fc.nat(9), fc.nat(6)), {
    minLength: 1,
    maxLength: 20,
  })
  .map((list) => list.filter(([a, b]) => a !== b));

test("with Davidson's ties the fit is where the derivatives of the posterior are zero", () => {
  fc.assert(
    fc.property(studies, (list) => {
      const fit = bayesianElo(pairs(6, list), convention);
      const sum = (column: 2 | 3 | 4): number =>
        list.reduce((total, pair) => total + pair[column], 0);
      const [tied, decided] = [sum(4), sum(2) + sum(3)];
      expect(fit.converged).toBe(true);
      if (tied === 0 || decided === 0) return;
      const { strength } = fit;
      const nu = (2 * (fit.tieChance as number)) / (1 - (fit.tieChance as number));
      const slope = Array.from(strength, (own) => convention.shape - 1 - convention.rate * own);
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
  const half = bayesianElo(decided, { ...convention, ties: "half" });
  expect(bayesianElo(decided, convention)).toEqual({ ...half, tieChance: 0 });
  const tied = bayesianElo(pairs(3, [[0, 1, 0, 0, 5]]), convention);
  expect([...tied.elo]).toEqual([2000, 2000, 2000]);
  expect(tied).toMatchObject({ converged: true, tieChance: 1 });
});

test("more ties bring ratings less close together than half wins do", () => {
  const counts = pairs(2, [[0, 1, 12, 4, 40]]);
  const spread = (ties: "half" | "davidson" | "exclude"): number => {
    const { elo } = bayesianElo(counts, { ...convention, ties });
    return elo[0]! - elo[1]!;
  };
  expect(spread("davidson")).toBeGreaterThan(spread("half"));
});
