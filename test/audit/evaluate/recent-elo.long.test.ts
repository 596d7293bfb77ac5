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

type Draw = (n: number, salt: number) => number;

/** A draw from 0 to 1 that depends only on its arguments. */
const drawn =
  (seed: number): Draw =>
  (n, salt) => {
    let x = Math.imul(n + 1, 0x9e3779b1) ^ Math.imul(salt + seed * 17 + 1, 0x85ebca6b);
    x = Math.imul(x ^ (x >>> 15), 0x2c1b3c6d);
    x = Math.imul(x ^ (x >>> 12), 0x297a2d39);
    return ((x ^ (x >>> 15)) >>> 0) / 2 ** 32;
  };

/** Ten comparisons per session; `meet` gives the two items of comparison n. */
function ratingColumnsOf(
  comparisons: number,
  items: number,
  meet: (n: number) => readonly [number, number],
  draw: Draw,
): RatingColumns {
  const ratings = 2 * comparisons;
  const of = (value: (n: number, side: 0 | 1) => number): number[] =>
    Array.from({ length: ratings }, (_, i) => value(i >> 1, (i % 2) as 0 | 1));
  const outcome = (n: number): number => (draw(n, 1) < 0.1 ? 0 : draw(n, 2) < 0.5 ? 1 : -1);
  return {
    experiment_id: "x",
    score: Float64Array.from(of((n, side) => (side === 0 ? outcome(n) : -outcome(n)))),
    stimulus: Int32Array.from(of((n, side) => meet(n)[side])),
    dimension: new Int32Array(ratings),
    slate: Int32Array.from(of((n) => n)),
    session: Int32Array.from(of((n) => Math.floor(n / 10))),
    job: new Int32Array(ratings),
    rater: Int32Array.from(of((n) => Math.floor(n / 10) % 7)),
    training: Uint8Array.from(of((n) => (draw(n, 3) < 0.05 ? 1 : 0))),
    completed: new Uint8Array(ratings).fill(1),
    screened: new Uint8Array(ratings),
    correct: new Int8Array(ratings).fill(-1),
    slateUpdated: Float64Array.from(of((n) => n + Math.round(30 * draw(n, 4)))),
    stimuli: Array.from({ length: items }, (_, i) => ({
      id: String(i),
      name: `s${i}`,
      item: `s${i}`,
    })),
    dimensions: [""],
    jobs: ["j"],
    raters: Array.from({ length: 7 }, (_, i) => String(i)),
    sessions: Array.from({ length: Math.ceil(comparisons / 10) }, (_, i) => ({
      id: `t${i}`,
      created: Math.round(1000 * draw(i, 5)),
    })),
    slateIds: BigInt64Array.from({ length: comparisons }, (_, n) =>
      BigInt(Math.floor(1e9 * draw(n, 6))),
    ),
  };
}

const anyone =
  (items: number, draw: Draw) =>
  (n: number): [number, number] => {
    const a = Math.floor(items * draw(n, 7));
    return [a, (a + 1 + Math.floor((items - 1) * draw(n, 8))) % items];
  };

/** Sums of a few hundred Elo from another start: 1e-8 is 100 times the allowed distance of two replays. */
const tolerance = 1e-8;

function expectSame(
  ratings: RatingColumns,
  population: Partial<Population>,
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
        ({ seed, comparisons, items, order, training, k, ties, update }) => {
          const draw = drawn(seed);
          expectSame(
            ratingColumnsOf(comparisons, items, anyone(items, draw), draw),
            { order, training },
            { k, ties, update },
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  test("if an item is retired long before the end", () => {
    const draw = drawn(1);
    expectSame(
      ratingColumnsOf(20_000, 5, (n) => (n < 3000 ? anyone(5, draw)(n) : anyone(4, draw)(n)), draw),
      {},
    );
  });

  test("if two halves of the items were compared only at the start, or never", () => {
    const draw = drawn(2);
    const half = (n: number): [number, number] => {
      const [a, b] = anyone(3, draw)(n);
      return n % 2 === 0 ? [a, b] : [a + 3, b + 3];
    };
    expectSame(
      ratingColumnsOf(20_000, 6, (n) => (n < 500 ? anyone(6, draw)(n) : half(n)), draw),
      {},
    );
    expectSame(ratingColumnsOf(20_000, 6, half, draw), {});
  });

  test("at a cost that does not grow with the forgotten comparisons", () => {
    const draw = drawn(3);
    const work = [50_000, 200_000].map(
      (n) => expectSame(ratingColumnsOf(n, 5, anyone(5, draw), draw), {}) - n * 2,
    );
    expect(work[1]).toBeLessThan(1.5 * (work[0] as number));
  });
});
