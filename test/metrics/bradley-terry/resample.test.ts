import fc from "fast-check";
import { expect, test } from "vitest";
import { drawable, pooled } from "../../../src/metrics/bradley-terry/resample.js";
import { raterPairCountsOf } from "../../../src/metrics/pair-counts.js";

const [items, raters] = [4, 5];
const below = (end: number) => fc.integer({ min: 0, max: end - 1 });
const comparison = fc
  .record({ a: below(items), step: fc.integer({ min: 1, max: items - 1 }), outcome: below(3), rater: below(raters) })
  .map(({ a, step, outcome, rater }) => ({ a, b: (a + step) % items, outcome: outcome - 1, rater }));

test("the counts of a draw are those of each rater, as often as it was drawn, added up", () => {
  fc.assert(
    fc.property(
      fc.array(comparison, { minLength: 1, maxLength: 60 }),
      fc.array(below(4), { minLength: raters, maxLength: raters }),
      (comparisons, weights) => {
        const counts = raterPairCountsOf(items, raters, {
          a: Int32Array.from(comparisons, ({ a }) => a),
          b: Int32Array.from(comparisons, ({ b }) => b),
          outcome: Int8Array.from(comparisons, ({ outcome }) => outcome),
          rater: Int32Array.from(comparisons, ({ rater }) => rater),
        });
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
