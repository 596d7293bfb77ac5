import fc from "fast-check";
import { expect, test } from "vitest";
import { defaultConventions, type OrderedComparisons } from "../../src/metrics/index.js";
import { type EloConvention, eloOrderRange, onlineElo } from "../../src/metrics/elo/online-elo.js";
import { columnsOf } from "../support/pair-counts.js";

const items = 6;

const comparisons = fc
  .array(fc.tuple(fc.nat(items - 1), fc.nat(items - 1), fc.constantFrom(-1, 0, 1), fc.boolean()), {
    maxLength: 60,
  })
  .map((games) => {
    let session = 0;
    return columnsOf(
      games.flatMap(([a, b, outcome, isNew]) =>
        a === b ? [] : [{ a, b, outcome, session: (session += Number(isNew)) }],
      ),
    );
  });

const convention = fc.record<EloConvention>({
  k: fc.double({ min: 1, max: 100, noNaN: true }),
  start: fc.double({ min: 0, max: 3000, noNaN: true }),
  scale: fc.double({ min: 100, max: 1000, noNaN: true }),
  base: fc.double({ min: 2, max: 20, noNaN: true }),
  tie_value: fc.double({ min: 0, max: 1, noNaN: true }),
  ties: fc.constantFrom("count", "skip"),
  update: fc.constantFrom("comparison", "session_batch"),
  weights: fc.constantFrom("updates", "k"),
  permutations: fc.constant(0),
  seed: fc.constant(1),
});

/** The definition of metrics.md, written out, to compare with the kernel. */
function naiveElo(
  { a, b, outcome, session, weight }: OrderedComparisons,
  c: EloConvention,
): number[] {
  let rating = new Array<number>(items).fill(c.start);
  for (let i = 0; i < a.length;) {
    const from = i;
    const before = [...rating];
    const next = [...rating];
    while (
      i < a.length &&
      (c.update === "comparison" ? i === from : session[i] === session[from])
    ) {
      const [x, y, result] = [a[i], b[i], outcome[i]] as [number, number, number];
      const k = c.k * (weight === undefined ? 1 : weight[i]!);
      i++;
      if (result === 0 && c.ties === "skip") continue;
      const expected = 1 / (1 + c.base ** ((before[y]! - before[x]!) / c.scale));
      const change = k * [0, c.tie_value, 1][result + 1]! - k * expected;
      next[x] = next[x]! + change;
      next[y] = next[y]! - change;
    }
    rating = next;
  }
  return rating;
}

test("agrees with the definition written out, under every convention", () => {
  fc.assert(
    fc.property(comparisons, convention, (games, c) => {
      const { rating } = onlineElo(items, games, c);
      // 1e-9: a few hundred roundings of numbers of the size of the ratings.
      naiveElo(games, c).forEach((wanted, i) => expect(rating[i]).toBeCloseTo(wanted, 9));
    }),
  );
});

/** Each comparison as often as its weight says, rounded up, with equal shares of the weight. */
function repeatedByWeight({ weight, ...games }: OrderedComparisons): OrderedComparisons {
  const own = weight!;
  const places = [...own].flatMap((w, i) => Array<number>(Math.ceil(w)).fill(i));
  return {
    a: Int32Array.from(places, (i) => games.a[i]!),
    b: Int32Array.from(places, (i) => games.b[i]!),
    outcome: Int8Array.from(places, (i) => games.outcome[i]!),
    session: Int32Array.from(places, (i) => games.session[i]!),
    weight: Float64Array.from(places, (i) => own[i]! / Math.ceil(own[i]!)),
  };
}

test("a comparison of weight w is as many updates, or one with K times w", () => {
  const weights = fc.array(fc.constantFrom(0.25, 1, 2, 2.5, 3), { minLength: 60, maxLength: 60 });
  fc.assert(
    fc.property(comparisons, weights, convention, (games, drawn, c) => {
      const weighted = { ...games, weight: Float64Array.from(games.a, (_, i) => drawn[i]!) };
      const { rating, played } = onlineElo(items, weighted, c);
      const written = c.weights === "k" ? weighted : repeatedByWeight(weighted);
      // 1e-8: three times the updates of the test above.
      naiveElo(written, c).forEach((wanted, i) => expect(rating[i]).toBeCloseTo(wanted, 8));
      const total = weighted.weight.reduce(
        (sum, w, i) => sum + (games.outcome[i] === 0 && c.ties === "skip" ? 0 : w),
        0,
      );
      expect(played.reduce((sum, n) => sum + n, 0)).toBeCloseTo(2 * total, 9);
    }),
  );
});

const shuffled = { ...defaultConventions.elo, permutations: 50 };
const two = {
  a: Int32Array.of(0, 1),
  b: Int32Array.of(1, 2),
  outcome: Int8Array.of(1, 1),
  session: Int32Array.of(1, 2),
};

test("with two sessions, the range spans their two orders", () => {
  const range = eloOrderRange(3, two, shuffled);
  const forth = onlineElo(3, two, shuffled).rating;
  const back = onlineElo(
    3,
    { ...two, a: Int32Array.of(1, 0), b: Int32Array.of(2, 1) },
    shuffled,
  ).rating;
  expect([...range.min]).toEqual([...forth.map((r, i) => Math.min(r, back[i]!))]);
  expect([...range.max]).toEqual([...forth.map((r, i) => Math.max(r, back[i]!))]);
  expect(range.max[1]!).toBeGreaterThan(range.min[1]!);
});

test("the order within a session is kept: one session has one order", () => {
  const range = eloOrderRange(3, { ...two, session: Int32Array.of(1, 1) }, shuffled);
  expect([...range.min]).toEqual([...onlineElo(3, two, shuffled).rating]);
  expect(range.max).toEqual(range.min);
});

test("the same seed tries the same orders; no orders give no range", () => {
  expect(eloOrderRange(3, two, shuffled)).toEqual(eloOrderRange(3, two, shuffled));
  const none = eloOrderRange(3, two, { ...shuffled, permutations: 0 });
  expect([none.permutations, none.min[0]]).toEqual([0, NaN]);
});
