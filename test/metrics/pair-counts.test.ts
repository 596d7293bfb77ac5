import fc from "fast-check";
import { expect, test } from "vitest";
import {
  comparisonsOfItems,
  pairCountsOf,
  raterPairCountsOf,
  winsWithHalfTies,
} from "../../src/metrics/pair-counts.js";
import { columnsOf } from "../support/pair-counts.js";

const games = fc
  .array(fc.tuple(fc.nat(4), fc.nat(4), fc.constantFrom(-1, 0, 1), fc.nat(2)), { maxLength: 40 })
  .map((all) =>
    columnsOf(all.flatMap(([a, b, outcome, rater]) => (a === b ? [] : [{ a, b, outcome, rater }]))),
  );

test("wins and comparisons are counted correctly, by pair and by pair and rater", () => {
  fc.assert(
    fc.property(games, (played) => {
      const wins = new Float64Array(5);
      const total = new Float64Array(5);
      played.a.forEach((a, i) => {
        const b = played.b[i]!;
        const share = (played.outcome[i]! + 1) / 2;
        wins[a] = wins[a]! + share;
        wins[b] = wins[b]! + 1 - share;
        for (const item of [a, b]) total[item] = total[item]! + 1;
      });
      for (const counts of [pairCountsOf(5, played), raterPairCountsOf(5, 3, played)]) {
        expect(winsWithHalfTies(counts)).toEqual(wins);
        expect(comparisonsOfItems(counts)).toEqual(total);
      }
    }),
  );
});

test("entries are in order, a below b, without duplicates", () => {
  fc.assert(
    fc.property(games, (played) => {
      const { rater, a, b } = raterPairCountsOf(5, 3, played);
      const keys = Array.from(rater, (r, p) => (r * 5 + a[p]!) * 5 + b[p]!);
      expect(keys).toEqual([...new Set(keys)].sort((x, y) => x - y));
      a.forEach((left, p) => expect(left).toBeLessThan(b[p]!));
    }),
  );
});

test("the counts are the same with more raters than a table can hold", () => {
  const many = 700_000;
  fc.assert(
    fc.property(games, (played) => {
      expect(raterPairCountsOf(5, many, played)).toEqual({
        ...raterPairCountsOf(5, 3, played),
        raters: many,
      });
    }),
  );
});
