import { expect, test } from "vitest";
import { bayesianElo, warmStrengths } from "../../../src/metrics/bayesian-elo/bayesian-elo.js";
import { defaultConventions } from "../../../src/metrics/conventions.js";
import { pairs } from "../../support/pair-counts.js";

const counts = pairs(3, [
  [0, 1, 3, 1],
  [1, 2, 2, 2],
  [0, 2, 4, 1],
  [0, 1, 2, 2],
]);
const session = Int32Array.of(1, 1, 2, 3);
const early = { ...defaultConventions.bayesian_elo, stop_elo: 1 };

test("a warm start stops at a different point than a cold one, both close to the fixed point", () => {
  const start = warmStrengths(counts, session, { ...early, start: "warm" });
  const warm = bayesianElo(counts, early, start);
  const cold = bayesianElo(counts, early);
  const fixed = bayesianElo(counts, defaultConventions.bayesian_elo);
  expect(warm.elo).not.toEqual(cold.elo);
  // After a step under 1 Elo a few Elo remain under this prior, not dozens.
  for (const fit of [warm, cold])
    fit.elo.forEach((e, i) => expect(Math.abs(e - fixed.elo[i]!)).toBeLessThan(10));
});

test("matches a manual iteration: after each session the fit continues from the previous one", () => {
  const upTo = (n: number) =>
    pairs(
      3,
      (
        [
          [0, 1, 3, 1],
          [1, 2, 2, 2],
          [0, 2, 4, 1],
          [0, 1, 2, 2],
        ] as const
      ).slice(0, n),
    );
  const first = bayesianElo(upTo(2), early);
  const second = bayesianElo(upTo(3), early, first.strength);
  expect(warmStrengths(counts, session, { ...early, start: "warm" })).toEqual(second.strength);
});

test.each([
  ["a cold start", early],
  ["no early stop", { ...defaultConventions.bayesian_elo, start: "warm" as const }],
])("%s has no starting point", (_, convention) => {
  expect(warmStrengths(counts, session, convention)).toBeUndefined();
});
