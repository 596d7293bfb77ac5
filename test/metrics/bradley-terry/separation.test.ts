import fc from "fast-check";
import { expect, test } from "vitest";
import { bradleyTerry } from "../../../src/metrics/bradley-terry/bradley-terry.js";
import { drawOf } from "../../../src/metrics/bradley-terry/resample.js";
import { fitWorths } from "../../../src/metrics/bradley-terry/model.js";
import { defaultConventions } from "../../../src/metrics/conventions.js";
import { quantile } from "../../../src/metrics/numeric/statistics.js";
import { seededRandom } from "../../../src/platform/random.js";
import { pairs, raterCounts } from "../../support/pair-counts.js";

const samples = 200;
const convention = { ...defaultConventions.bradley_terry, rater_samples: samples };

const duel = (raters: readonly (readonly number[])[]) =>
  raterCounts(
    2,
    raters.length,
    raters.flatMap((own, rater) => own.map((outcome) => ({ a: 0, b: 1, outcome, rater }))),
  );

test("a resample without a finite estimate leaves the interval open", () => {
  const raters = [[1, 1, -1], ...Array.from({ length: 7 }, () => [1, 1, 1])];
  const fit = bradleyTerry(duel(raters), convention);
  expect(fit.value[0]).toBeCloseTo(Math.log(23) / 2, 9);
  expect([fit.high[0], fit.low[1]]).toEqual([NaN, NaN]);
  // Of two items the estimate is half the logarithm of wins over losses, so the same draws can be computed by hand.
  const random = seededRandom(convention.seed);
  const byHand = Float64Array.from({ length: samples }, () => {
    const drawn = raters.flatMap(() => raters[Math.floor(random() * raters.length)]!);
    return Math.log(drawn.filter((o) => o === 1).length / drawn.filter((o) => o === -1).length) / 2;
  }).sort();
  expect(fit.low[0]).toBeCloseTo(quantile(byHand, 0.025), 9);
  expect(fit.high[1]).toBeCloseTo(-quantile(byHand, 0.025), 9);
  expect([fit.drawsTried, fit.drawsUsed]).toEqual([samples, byHand.filter(Number.isFinite).length]);
  expect(fit.drawsUsed).toBeLessThan(0.75 * samples);
});

test("an item that one rater alone links to the others may be anywhere", () => {
  const others = Array.from({ length: 20 }, (_, i) => {
    return { a: 0, b: 1, outcome: i % 3 === 0 ? -1 : 1, rater: i % 5 };
  });
  const links = [1, -1].map((outcome) => ({ a: 1, b: 2, outcome, rater: 5 }));
  const counts = raterCounts(3, 6, [...others, ...links]);
  const fit = bradleyTerry(counts, convention);
  expect([fit.low[2], fit.high[2]]).toEqual([NaN, NaN]);
  expect(fit.value.every(Number.isFinite)).toBe(true);
});

const outcome = fc.record({
  a: fc.nat(4),
  b: fc.nat(4),
  wins: fc.nat(2),
  losses: fc.nat(2),
  ties: fc.nat(1),
});

test("a resample's infinities are the limit of fits with ever less prior", () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 8 }), (list) => {
      const games = list.filter(({ a, b }) => a !== b);
      const counts = pairs(
        5,
        games.map(({ a, b, wins, losses, ties }) => [a, b, wins, losses, ties] as const),
      );
      const all = [0, 1, 2, 3, 4].flatMap((a) =>
        [0, 1, 2, 3, 4].filter((b) => b > a).map((b) => [a, b] as const),
      );
      /** The fit with `prior` wins added to both sides of every pair: always finite. */
      const withPrior = (prior: number): Float64Array => {
        const more = pairs(5, [
          ...games.map(({ a, b, wins, losses, ties }) => [a, b, wins, losses, ties] as const),
          ...all.map(([a, b]) => [a, b, prior, prior] as const),
        ]);
        const fit = fitWorths(more, "half");
        // So little information is ill-conditioned: converged to better than the slack below.
        expect(fit.maxChange).toBeLessThan(1e-5);
        return fit.logWorth;
      };
      const [weak, weaker] = [withPrior(1e-4), withPrior(1e-6)];
      const start = fitWorths(
        pairs(
          5,
          all.map(([a, b]) => [a, b, 1, 1] as const),
        ),
        "half",
      );
      const draw = drawOf(counts, "half", start);
      weaker.forEach((value, i) => {
        const growth = value - weak[i]!;
        if (draw.low[i] === Infinity) expect(growth).toBeGreaterThan(0.5);
        else if (draw.high[i] === -Infinity) expect(growth).toBeLessThan(-0.5);
        else if (draw.isFinite) expect(Math.abs(value - draw.low[i]!)).toBeLessThan(0.01);
      });
    }),
    { numRuns: 200 },
  );
});
