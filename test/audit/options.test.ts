import { describe, expect, test } from "vitest";
import { statedIn } from "../../src/audit/recompute/hypotheses.js";
import { patched } from "../../src/audit/recompute/scenario.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { fixtureOf, ownOf } from "../support/audit/fixture.js";

describe("conventions that published options state", async () => {
  const fixture = await fixtureOf("codec-preference");
  const own = ownOf(fixture, "");

  const spellings: [kind: Kind, options: unknown, patch: object][] = [
    ["elo", { k: 24, start: 1500 }, { elo: { k: 24, start: 1500 } }],
    ["elo", { K: 24, initialRating: 1500 }, { elo: { k: 24, start: 1500 } }],
    ["elo", { kFactor: "24", initial_elo: "1500" }, { elo: { k: 24, start: 1500 } }],
    ["elo", { elo: { k_factor: 24, starting_rating: 1500 } }, { elo: { k: 24, start: 1500 } }],
    [
      "elo",
      { parameters: { tieScore: 0.25, eloScale: 200 } },
      { elo: { tie_value: 0.25, scale: 200 } },
    ],
    ["bayesian_elo", { a: 2, b: 0.05 }, { bayesian_elo: { shape: 2, rate: 0.05 } }],
    [
      "bayesian_elo",
      { prior: { shape: 2, rate: 0.05 } },
      { bayesian_elo: { shape: 2, rate: 0.05 } },
    ],
    ["bayesian_elo", { priorShape: 2, centre: 1500 }, { bayesian_elo: { shape: 2, anchor: 1500 } }],
    [
      "bayesian_elo",
      { alpha: 5, beta: 2 },
      { bayesian_elo: { rater_quality: { alpha: 5, beta: 2 } } },
    ],
    [
      "bayesian_elo",
      { raterQuality: { alpha: 5, beta: 2 } },
      { bayesian_elo: { rater_quality: { alpha: 5, beta: 2 } } },
    ],
    ["percent_chosen", { unit: "fraction" }, { percent_scale: 1 }],
    ["percent_chosen", { scale: 1 }, { percent_scale: 1 }],
  ];

  test.each(spellings)("reads %s %j", (kind, options, conventions) => {
    const read = statedIn(kind, options).reduce((s, h) => patched(s, h.set), own);
    expect(read).toEqual(patched(own, { conventions }));
  });

  test.each([
    [{ exclude_training: false }, { training: "include" }],
    [{ includeTraining: true }, { training: "include" }],
    [{ only_completed: false }, { incomplete: "include" }],
  ] as const)("reads an option of the population: %j", (options, population) => {
    expect(statedIn("elo", options).reduce((s, h) => patched(s, h.set), own)).toEqual(
      patched(own, { population }),
    );
  });

  test.each([
    ["percent_chosen", { share: "net" }, [{ form: "net" }]],
    ["percent_chosen", { share: "losses" }, [{ conventions: { chosen: "losses" } }]],
    ["bradley_terry", { ties: "exclude" }, [{ form: "without_ties" }]],
    ["mean", { sign: "minus" }, [{ rescaled: { scale: -1, shift: 0 } }]],
    // Of a mean, it may be its scale of points.
    ["mean", { scale: 100 }, []],
  ] as const)("reads %s %j as the audit names it", (kind, options, sets) => {
    expect(statedIn(kind, options).map(({ set }) => set)).toEqual(sets);
  });

  test.each([{ k: -3 }, { k: "many" }, { tie_value: 7 }, { base: 0 }, { start: null }])(
    "ignores options without a meaning: %j",
    (options) => {
      expect(statedIn("elo", options)).toEqual([]);
    },
  );
});
