import fc from "fast-check";
import { expect, test } from "vitest";
import { raterPairCountsOf } from "../../src/metrics/pair-counts.js";
import { columnsOf } from "../support/pair-counts.js";

const games = fc
  .array(fc.tuple(fc.nat(4), fc.nat(4), fc.constantFrom(-1, 0, 1), fc.nat(2)), { maxLength: 40 })
  .map((all) =>
    columnsOf(all.flatMap(([a, b, outcome, rater]) => (a === b ? [] : [{ a, b, outcome, rater }]))),
  );

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
