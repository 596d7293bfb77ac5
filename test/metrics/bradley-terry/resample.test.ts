import fc from "fast-check";
import { expect, test } from "vitest";
import { bradleyTerry } from "../../../src/metrics/bradley-terry/bradley-terry.js";
import { likelihoodClasses } from "../../../src/metrics/bradley-terry/classes.js";
import { fitWorths } from "../../../src/metrics/bradley-terry/model.js";
import {
  drawable,
  drawOf,
  pooled,
  summarise,
} from "../../../src/metrics/bradley-terry/resample.js";
import { namelessOrders, type RaterPairCounts } from "../../../src/metrics/pair-counts.js";
import { seededRandom } from "../../../src/platform/random.js";
import { gamesOf, raterCounts } from "../../support/pair-counts.js";

const [items, raters] = [4, 5];
const below = (end: number) => fc.integer({ min: 0, max: end - 1 });
const comparison = fc
  .record({
    a: below(items),
    step: fc.integer({ min: 1, max: items - 1 }),
    outcome: below(3),
    rater: below(raters),
  })
  .map(({ a, step, outcome, rater }) => ({
    a,
    b: (a + step) % items,
    outcome: outcome - 1,
    rater,
  }));

test("the counts of a draw are those of each rater, as often as it was drawn, added up", () => {
  fc.assert(
    fc.property(
      fc.array(comparison, { minLength: 1, maxLength: 60 }),
      fc.array(below(4), { minLength: raters, maxLength: raters }),
      (comparisons, weights) => {
        const counts = raterCounts(items, raters, comparisons);
        const draw = drawable(counts)(Float64Array.from(weights));
        for (let pair = 0; pair < draw.a.length; pair++) {
          const sum = (of: Float64Array): number =>
            of.reduce((total, n, p) => {
              const isPair = counts.a[p] === draw.a[pair] && counts.b[p] === draw.b[pair];
              return isPair ? total + n * weights[counts.rater[p]!]! : total;
            }, 0);
          expect([draw.winsA[pair], draw.winsB[pair], draw.ties[pair]]).toEqual(
            [counts.winsA, counts.winsB, counts.ties].map(sum),
          );
        }
        const once = drawable(counts)(new Float64Array(raters).fill(1));
        expect(pooled(counts)).toEqual({
          ...once,
          winsA: once.winsA.slice(),
          winsB: once.winsB.slice(),
          ties: once.ties.slice(),
        });
      },
    ),
  );
});

const study = (seed: number, size: number, judges: number): RaterPairCounts =>
  raterCounts(size, judges, gamesOf(seed, { items: size, raters: judges, step: 2 / size }));

function toTheEnd(counts: RaterPairCounts, ties: "half" | "davidson" | "generalised_davidson") {
  const fit = fitWorths(pooled(counts), ties);
  const random = seededRandom(1);
  const order = namelessOrders(counts)[1]!;
  const weights = drawable(counts);
  const draws = Array.from({ length: samples }, () => {
    const weight = new Float64Array(counts.raters);
    for (let r = 0; r < counts.raters; r++)
      weight[order[Math.floor(random() * counts.raters)]!]! += 1;
    const drawn = weights(weight);
    const draw = drawOf(drawn, ties, fit);
    if (!draw.isFinite) return draw;
    const { logWorth } = fitWorths(drawn, ties);
    return { ...draw, low: logWorth, high: logWorth };
  });
  return summarise(counts.items, draws);
}

const samples = 30;

test.each([
  ["half", 4, 9],
  ["half", 12, 40],
  ["half", 102, 150],
  ["davidson", 4, 9],
  ["davidson", 12, 40],
  ["generalised_davidson", 8, 120],
] as const)(
  "draws that stop early move no end by 1e-8: ties %s, %i items",
  (ties, size, judges) => {
    for (const seed of [1, 2]) {
      const counts = study(seed, size, judges);
      expect(likelihoodClasses(pooled(counts)).classes).toBe(1);
      const convention = { ties, rater_samples: samples, seed: 1 };
      const found = bradleyTerry(counts, convention);
      const wanted = toTheEnd(counts, ties);
      expect(wanted.low.some(Number.isFinite)).toBe(true);
      for (const end of ["low", "high"] as const)
        wanted[end].forEach((value, item) => {
          if (Number.isNaN(value)) expect(found[end][item]).toBeNaN();
          else expect(Math.abs(found[end][item]! - value)).toBeLessThan(1e-8);
        });
    }
  },
);
