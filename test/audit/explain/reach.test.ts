import { describe, expect, test } from "vitest";
import { ownScenario, patched, type ScenarioPatch } from "../../../src/audit/evaluate/scenario.js";
import { groupOf } from "../../../src/audit/published/cells.js";
import type { Kind } from "../../../src/metrics/kinds.js";
import { readScores } from "../../../src/audit/published/scores.js";
import { isLevelWithinReach, isWithinReach, ratings } from "../../../src/audit/explain/parameters/identify.js";
import { isQualityNear } from "../../../src/audit/explain/parameters/quality.js";
import { targetOf, type Target } from "../../../src/audit/target/target.js";
import { valuesOf } from "../../../src/audit/explain/parameters/values.js";
import { defaultTolerances } from "../../../src/audit/settings.js";
import { defaultConventions } from "../../../src/metrics/conventions.js";
import { fixtureOf } from "../../support/audit/fixture.js";

const { evaluator } = await fixtureOf("codec-preference");
const own = ownScenario(defaultConventions, "", "");

/** The numbers of a scenario as if published, to one decimal; `corrupt` changes them. */
function published(kind: Kind, patch: ScenarioPatch, corrupt: (value: number, i: number) => number = (v) => v): Target {
  const { items, columns } = evaluator.table(kind, patched(own, patch), false);
  const scores = items.map((stimulus, i) => ({
    stimulus,
    value: Number(corrupt(columns.value?.[i] ?? NaN, i).toFixed(1)),
  }));
  const key = { experiment_id: "x", experiment_name: "", kind, dimension: "", source: "", published_in: "results" };
  return targetOf(
    groupOf(key, readScores(kind, scores), {}, { names: new Set(items), itemOfId: new Map() }),
    kind,
    defaultTolerances,
  );
}

const reaches = (target: Target, patch: ScenarioPatch): boolean => {
  const scenario = patched(own, patch);
  return ratings[target.kind]!.curves(scenario.conventions).some((curve) =>
    isWithinReach(target, evaluator, scenario, curve),
  );
};

const training: ScenarioPatch = { population: { training: "include" } };
const elo = (patch: object): ScenarioPatch => ({ conventions: { elo: patch } });
const bayesian = (patch: object): ScenarioPatch => ({ conventions: { bayesian_elo: patch } });
const wrong = (v: number, i: number): number => (i === 2 ? v + 40 : v);

describe("parameters are searched under a convention if one of them can reproduce the published numbers", () => {
  test.each<[string, Kind, ScenarioPatch]>([
    ["K between two points of the grid", "elo", elo({ k: 29.5 })],
    ["K, start and scale", "elo", elo({ k: 13, start: 1234, scale: 173 })],
    ["a small K", "elo", elo({ k: 1.4 })],
    ["a large K", "elo", elo({ k: 170 })],
    ["the value of a tie", "elo", elo({ tie_value: 0.62 })],
    ["a prior's shape, anchor and scale", "bayesian_elo", bayesian({ shape: 13, anchor: 1500, scale: 173 })],
    ["a weak prior", "bayesian_elo", bayesian({ shape: 1.2 })],
    ["a threshold at which the iteration stops", "bayesian_elo", bayesian({ stop_elo: 0.4, start: "cold" })],
    ["a coarse threshold", "bayesian_elo", bayesian({ stop_elo: 20, start: "cold" })],
  ])("%s", (_, kind, patch) => {
    const both = { population: training.population ?? {}, conventions: patch.conventions ?? {} };
    expect(reaches(published(kind, patch), {}), "under the run's own conventions").toBe(true);
    expect(reaches(published(kind, both), training), "with training").toBe(true);
    expect(reaches(published(kind, both, wrong), training), "with training and one wrong number").toBe(true);
  });

  test("and not otherwise", () => {
    const flipped = { population: { order: "reversed" } } as const;
    expect(reaches(published("elo", { ...flipped, ...elo({ k: 24 }) }), flipped)).toBe(true);
    expect(reaches(published("elo", { ...flipped, ...elo({ k: 24 }) }), {})).toBe(false);
    expect(
      reaches(
        published("bayesian_elo", bayesian({ shape: 2 }), (v, i) => v + 60 * Math.cos(7 * i)),
        {},
      ),
    ).toBe(false);
  });

  test("a level, if each fit is expensive", () => {
    const quality = bayesian({ rater_quality: { alpha: 10, beta: 2 } });
    const moved = bayesian({ rater_quality: { alpha: 10, beta: 2 }, anchor: 1500 });
    expect(
      isLevelWithinReach(
        published("bayesian_elo", moved, (v, i) => (i === 3 ? v + 9 : v)),
        evaluator,
        patched(own, quality),
      ),
    ).toBe(true);
    expect(
      isLevelWithinReach(published("bayesian_elo", bayesian({ anchor: 1500 })), evaluator, patched(own, quality)),
    ).toBe(false);
  });
});

describe("a prior of rater quality is searched if one can reproduce the published numbers", () => {
  const isNear = (target: Target): boolean => isQualityNear(valuesOf(target, evaluator, own), own);
  const planted = (alpha: number, beta: number, corrupt?: typeof wrong): Target =>
    published("bayesian_elo", bayesian({ rater_quality: { alpha, beta } }), corrupt);

  test.each([
    [7, 3],
    [15, 4],
    [3, 1.5],
    [40, 3],
    [10, 2],
  ])("Beta(%d, %d)", (alpha, beta) => {
    expect(isNear(planted(alpha, beta))).toBe(true);
    expect(isNear(planted(alpha, beta, wrong)), "one number wrong").toBe(true);
  });

  test("and not otherwise", () => {
    expect(isNear(published("bayesian_elo", {})), "no quality").toBe(false);
  });
});
