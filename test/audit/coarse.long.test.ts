import { describe, expect, test } from "vitest";
import type { ConventionInput } from "../../src/emulator/scoring/convention.js";
import { fixtureOf, type Fixture } from "../support/audit/fixture.js";
import { tryPlanted } from "../support/audit/mutation.js";
import type { PlantedConvention } from "../support/audit/planted-conventions.js";

const fixture = await fixtureOf("two-dimensions");
const own = await fixtureOf("codec-preference", {
  own: { bayesian_elo: { shape: 2, rate: 0.1, anchor: 1500 }, percent_scale: 1 },
});

const plant = (name: string, bayesian_elo: NonNullable<ConventionInput["bayesian_elo"]>): PlantedConvention => ({
  name,
  axis: name,
  rule: { conventions: { bayesian_elo } },
});
const scale = plant("scale=173", { scale: 173 });
const stopped = plant("stop_elo=1", { stop_elo: 1 });

/** Other conventions with other parameters come close to whole numbers, which is not an explanation. */
describe("coarse ratings", () => {
  const ambiguous: [string, Fixture, string, PlantedConvention[]][] = [
    ["an early stop and another anchor", fixture, "sharpness", [stopped, plant("anchor=1000", { anchor: 1000 })]],
    [
      "a warm start and another prior",
      own,
      "",
      [plant("stop_elo=1 start=warm", { stop_elo: 1, start: "warm" }), plant("shape=3", { shape: 3, rate: 0.1 })],
    ],
    ["a warm start and another unit", own, "", [plant("stop_elo=1 start=warm", { stop_elo: 1, start: "warm" }), scale]],
  ];
  test.each(ambiguous)("%s are not explained by a prior of two unusual numbers", (_, from, dimension, planted) => {
    const { outcome, explanation } = tryPlanted(from, "bayesian_elo", dimension, planted, 0);
    expect(["rightly", "not at all"], explanation?.name).toContain(outcome);
  });
});
