import { expect, test } from "vitest";
import { bradleyTerry } from "../../../src/metrics/bradley-terry/bradley-terry.js";
import { fitWorths } from "../../../src/metrics/bradley-terry/model.js";
import { defaultConventions, type RaterPairCounts } from "../../../src/metrics/index.js";
import { seededRandom } from "../../../src/platform/random.js";
import { gamesOf, pairs, raterCounts } from "../../support/pair-counts.js";

const convention = { ...defaultConventions.bradley_terry, rater_samples: 0 };

const study = (raters: number, each: number, taste: number): RaterPairCounts =>
  raterCounts(5, raters, gamesOf(3, { items: 5, raters, each, taste, ties: 0.1 }));

test("the fitted chances reproduce each item's wins", () => {
  const counts = study(6, 60, 0);
  const { value, wins } = bradleyTerry(counts, convention);
  const expected = new Array<number>(5).fill(0);
  counts.a.forEach((a, p) => {
    const b = counts.b[p]!;
    const n = counts.winsA[p]! + counts.winsB[p]! + counts.ties[p]!;
    const chance = 1 / (1 + Math.exp(value[b]! - value[a]!));
    expected[a] = expected[a]! + n * chance;
    expected[b] = expected[b]! + n * (1 - chance);
  });
  expected.forEach((e, i) => expect(e).toBeCloseTo(wins[i]!, 9));
});

test("Davidson's model reproduces a pair's wins and ties exactly", () => {
  const { logWorth, tie } = fitWorths(pairs(2, [[0, 1, 5, 3, 2]]), "davidson");
  expect(logWorth[0]! - logWorth[1]!).toBeCloseTo(Math.log(5 / 3), 10);
  // ν = 2 / √15, and the odds of a tie between equals are ν / 2.
  expect(tie[0]).toBeCloseTo(Math.log(1 / Math.sqrt(15)), 10);
});

test.each(["davidson", "generalised_davidson"] as const)(
  "%s without a tie is the model without ties",
  (ties) => {
    const counts = pairs(3, [
      [0, 1, 5, 3],
      [1, 2, 4, 4],
      [0, 2, 6, 1],
    ]);
    const fit = bradleyTerry(counts, { ...convention, ties });
    expect(fit.value).toEqual(bradleyTerry(counts, convention).value);
    expect(fit.tieChance).toBeNaN();
  },
);

/** The likelihood in the models' own terms: Davidson's in ν, the generalised in δ and σ. */
function logLikelihood(
  counts: RaterPairCounts,
  worth: Float64Array,
  [odds, scale]: readonly number[],
): number {
  return counts.a.reduce((sum, a, p) => {
    const [left, right] = [Math.exp(worth[a]!), Math.exp(worth[counts.b[p]!]!)];
    const tie =
      scale === undefined
        ? 2 * Math.exp(odds as number) * Math.sqrt(left * right)
        : Math.exp(odds as number) *
          2 ** scale *
          Math.sqrt(left * right) ** scale *
          (left + right) ** (1 - scale);
    const of = (n: number | undefined, share: number): number =>
      (n ?? 0) * Math.log(share / (left + right + tie));
    return sum + of(counts.winsA[p], left) + of(counts.winsB[p], right) + of(counts.ties[p], tie);
  }, 0);
}

test.each(["davidson", "generalised_davidson"] as const)(
  "the fit of %s is a maximum of its likelihood",
  (ties) => {
    const counts = study(4, 80, 0);
    const fit = fitWorths(counts, ties);
    expect(fit.converged).toBe(true);
    const best = logLikelihood(counts, fit.logWorth, fit.tie);
    // A hundredth away in any direction is worse, by the same second-order amount both ways.
    for (let at = 0; at < 5 + fit.tie.length; at++) {
      const [forth, back] = [0.01, -0.01].map((shift) =>
        logLikelihood(
          counts,
          fit.logWorth.map((w, i) => w + (i === at ? shift : 0)),
          fit.tie.map((t, k) => t + (k + 5 === at ? shift : 0)),
        ),
      ) as [number, number];
      expect(Math.max(forth, back)).toBeLessThan(best);
      expect((best - forth) / (best - back)).toBeCloseTo(1, 1);
    }
    const davidson = fitWorths(counts, "davidson");
    expect(best).toBeGreaterThanOrEqual(
      logLikelihood(counts, davidson.logWorth, davidson.tie) - 1e-9,
    );
  },
);

test("if only equal items tie, the generalised scale is above Davidson's", () => {
  const fit = bradleyTerry(
    pairs(4, [
      [0, 1, 20, 20, 20],
      [2, 3, 20, 20, 20],
      [0, 2, 38, 8, 1],
      [0, 3, 38, 8, 1],
      [1, 2, 38, 8, 1],
      [1, 3, 38, 8, 1],
    ]),
    { ...convention, ties: "generalised_davidson" },
  );
  expect(fit.converged).toBe(true);
  expect(fit.tieScale).toBeGreaterThan(2);
  expect(fit.tieChance).toBeCloseTo(1 / 3, 1);
});

test("an item that lost every comparison has its own class, and the others finite worths", () => {
  const {
    value,
    class: own,
    classes,
    components,
    converged,
  } = bradleyTerry(
    pairs(4, [
      [0, 1, 2, 3],
      [1, 2, 4, 1],
      [0, 2, 2, 2],
      [2, 3, 5, 0],
      [0, 3, 4, 0],
    ]),
    convention,
  );
  expect([converged, components, classes]).toEqual([true, 1, 2]);
  expect([...own]).toEqual([0, 0, 0, 1]);
  const alone = bradleyTerry(
    pairs(3, [
      [0, 1, 2, 3],
      [1, 2, 4, 1],
      [0, 2, 2, 2],
    ]),
    convention,
  );
  expect([...value.subarray(0, 3)]).toEqual([...alone.value]);
  expect(value[3]).toBe(0);
});

test("the same seed gives the same intervals, which contain the estimate", () => {
  const counts = study(20, 30, 0.3);
  const sampled = { ...convention, rater_samples: 100 };
  const fit = bradleyTerry(counts, sampled);
  expect(bradleyTerry(counts, sampled)).toEqual(fit);
  expect(bradleyTerry(counts, { ...sampled, seed: 2 }).low).not.toEqual(fit.low);
  expect(fit.drawsUsed).toBe(100);
  fit.value.forEach((value, i) => {
    expect(fit.low[i]).toBeLessThan(value);
    expect(fit.high[i]).toBeGreaterThan(value);
  });
});

test("raters with individual tastes widen the intervals beyond the sandwich errors", () => {
  const fit = bradleyTerry(study(20, 200, 1), { ...convention, rater_samples: 200 });
  const sandwich = 2 * 1.96 * fit.standardError[0]!;
  expect(fit.high[0]! - fit.low[0]!).toBeGreaterThan(1.5 * sandwich);
});

test("one rater alone cannot be resampled: no interval instead of a narrow one", () => {
  const fit = bradleyTerry(pairs(2, [[0, 1, 5, 3]]), { ...convention, rater_samples: 50 });
  expect([fit.drawsTried, fit.low[0]]).toEqual([0, NaN]);
});

test("many items and few items are fitted to the same numbers", () => {
  const random = seededRandom(4);
  const few = Array.from({ length: 300 }, () => {
    const a = Math.floor(random() * 40);
    return [
      a,
      (a + 1 + Math.floor(random() * 39)) % 40,
      1 + Math.floor(random() * 5),
      1 + Math.floor(random() * 5),
    ] as const;
  });
  const copy = few.map(([a, b, x, y]) => [a + 40, b + 40, x, y] as const);
  const more = few.map(([a, b, x, y]) => [a + 80, b + 80, x, y] as const);
  const alone = bradleyTerry(pairs(40, few), convention);
  const bridged = bradleyTerry(
    pairs(120, [...few, ...copy, ...more, [0, 40, 1, 1], [40, 80, 1, 1]]),
    convention,
  );
  expect([bridged.converged, bridged.classes]).toEqual([true, 1]);
  // Links between copies of the same item have no effect: each copy keeps its worths.
  alone.value.forEach((v, i) => expect(bridged.value[i + 80]).toBeCloseTo(v, 9));
});

test("all ties: equal worths, and no error or interval instead of zero", () => {
  const ties = raterCounts(
    2,
    6,
    [0, 1, 2, 3, 4, 5].map((rater) => ({ a: 0, b: 1, outcome: 0, rater })),
  );
  const fit = bradleyTerry(ties, { ...convention, rater_samples: 50 });
  expect([...fit.value, ...fit.isTied]).toEqual([0, 0, 1, 1]);
  expect([...fit.standardError, ...fit.low, ...fit.high]).toEqual(Array(6).fill(NaN));
  expect(bradleyTerry(study(4, 20, 0), convention).isTied.every((is) => is === 0)).toBe(true);
});
