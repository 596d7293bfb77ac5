import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../../src/audit/recompute/evaluator.js";
import { ownScenario } from "../../../src/audit/recompute/scenario.js";
import { comparisonsOfRatings } from "../../../src/audit/recompute/comparisons.js";
import type { RatingColumns } from "../../../src/audit/recompute/ratings.js";
import type { Population } from "../../../src/audit/recompute/population.js";
import { orders } from "../../../src/metrics/kind.js";
import { conventionsWith } from "../../../src/metrics/conventions.js";
import { onlineElo } from "../../../src/metrics/elo/online-elo.js";
import { seededRandom } from "../../../src/platform/random.js";
import { syntheticRatings } from "../../support/audit/synthetic-ratings.js";

function drawn(comparisons: number, items: number, seed: number): RatingColumns {
  const sessions = Math.ceil(comparisons / 20);
  const ratings = syntheticRatings({ sessions, items, raters: 7, seed });
  const random = seededRandom(seed);
  const late = ratings.slateIds.map(() => BigInt(Math.floor(1e9 * random())));
  return {
    ...ratings,
    slateUpdated: ratings.slateUpdated.map((_, i) => (i >> 1) + Number(late[i >> 1]! % 30n)),
    sessions: ratings.sessions.map(({ id }) => ({ id, created: Math.round(1000 * random()) })),
    slateIds: late,
  };
}

function meeting(
  comparisons: number,
  items: number,
  meet: (n: number, a: number, b: number) => readonly [number, number],
): RatingColumns {
  const ratings = drawn(comparisons, items, items);
  const { stimulus } = ratings;
  for (let i = 0; i < stimulus.length; i += 2)
    stimulus.set(meet(i >> 1, stimulus[i]!, stimulus[i + 1]!), i);
  return ratings;
}

/** Sums of a few hundred Elo from another start: 1e-8 is 100 times the allowed distance of two replays. */
const tolerance = 1e-8;

function expectSame(
  ratings: RatingColumns,
  population: Partial<Population> = {},
  elo: Parameters<typeof conventionsWith>[0]["elo"] = {},
): number {
  const conventions = conventionsWith({ elo });
  const own = ownScenario(conventions, "", "");
  const scenario = { ...own, population: { ...own.population, ...population } };
  const evaluator = createEvaluator(ratings);
  const table = evaluator.table("elo", scenario);
  const whole = comparisonsOfRatings(ratings, scenario.population);
  const { rating, played } = onlineElo(whole.items.length, whole, conventions.elo);
  expect(table.items).toEqual(whole.items);
  expect(Array.from(table.columns.n ?? [])).toEqual(Array.from(played));
  rating.forEach((r, i) => {
    expect(Math.abs(r - (table.columns.value?.[i] ?? NaN)), `${whole.items[i]}`).toBeLessThan(
      tolerance,
    );
  });
  return evaluator.work;
}

describe("online Elo from the last comparisons equals the full replay", () => {
  test("under any order, convention and number of comparisons", () => {
    fc.assert(
      fc.property(
        fc.record({
          seed: fc.nat(1000),
          comparisons: fc.integer({ min: 1, max: 6000 }),
          items: fc.integer({ min: 2, max: 8 }),
          order: fc.constantFrom(...orders),
          training: fc.constantFrom("include", "exclude", "only"),
          k: fc.constantFrom(4, 32, 100, 400),
          ties: fc.constantFrom("count", "skip"),
          update: fc.constantFrom("comparison", "session_batch"),
        }),
        ({ seed, comparisons, items, order, training, ...elo }) => {
          expectSame(drawn(comparisons, items, seed), { order, training }, elo);
        },
      ),
      { numRuns: 60 },
    );
  });

  test("if an item is retired long before the end", () => {
    // The fourth item takes the place of the last, which the third may already be.
    expectSame(
      meeting(20_000, 5, (n, a, b) => (n < 3000 || b < 4 ? [a, b] : a === 3 ? [2, 3] : [a, 3])),
    );
  });

  test("if two halves of the items were compared only at the start, or never", () => {
    const half = (n: number, a: number, b: number): [number, number] => {
      const [x, y] = [a % 3, (a + 1 + (b % 2)) % 3];
      const from = n % 2 === 0 ? 0 : 3;
      return [from + Math.min(x, y), from + Math.max(x, y)];
    };
    expectSame(meeting(20_000, 6, (n, a, b) => (n < 500 ? [a, b] : half(n, a, b))));
    expectSame(meeting(20_000, 6, half));
  });

  test("at a cost that does not grow with the forgotten comparisons", () => {
    const work = [50_000, 200_000].map((n) => expectSame(drawn(n, 5, 3)) - n * 2);
    expect(work[1]).toBeLessThan(1.5 * (work[0] as number));
  });
});
