import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roundWithin } from "../../src/audit/target/decimals.js";
import type { ConventionInput } from "../../src/emulator/scoring/convention.js";
import { fixtureOf, type Fixture } from "../support/audit/fixture.js";
import { tryPlanted } from "../support/audit/mutation.js";
import type { PlantedConvention } from "../support/audit/planted-conventions.js";
import { everyNth } from "../support/whole.js";

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
const shifted = plant("labels=shifted", { interval_labels: "shifted" });
const stopped = plant("stop_elo=1", { stop_elo: 1 });

/** Other conventions with other parameters come close to whole numbers, which is not an explanation. */
describe("coarse ratings", () => {
  const named: [string, PlantedConvention[]][] = [
    ["a unit alone is named, and no prior beside it", [scale]],
    ["a unit under other labels", [shifted, scale]],
    ["a truncated unit", [{ name: "rounding=truncate", axis: "rounding", rule: { rounding: "truncate" } }, scale]],
  ];
  test.each(everyNth("precisions", named, 2))("%s", (_, planted) => {
    const { outcome, explanation } = tryPlanted(fixture, "bayesian_elo", "sharpness", planted, 0);
    expect([outcome, explanation?.name]).toEqual(["rightly", expect.stringContaining("scale=17") as string]);
  });

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
  test.each(everyNth("precisions", ambiguous, 2, 1))(
    "%s are not explained by a prior of two unusual numbers",
    (_, from, dimension, planted) => {
      const { outcome, explanation } = tryPlanted(from, "bayesian_elo", dimension, planted, 0);
      expect(["rightly", "not at all"], explanation?.name).toContain(outcome);
    },
  );
});

test("round numbers within a range are the finest of which there are only a few", () => {
  expect(roundWithin(171.6, 174.5, 20)).toEqual([172, 173, 174]);
  expect(roundWithin(0.0391, 0.0412, 20)).toEqual([0.04, 0.041]);
  expect(roundWithin(-1, 3, 20)).toEqual([]);
  fc.assert(
    fc.property(
      fc.double({ min: 1e-3, max: 1e4, noNaN: true }),
      fc.double({ min: 1e-9, max: 1, noNaN: true }),
      (low, share) => {
        const high = low * (1 + share);
        const found = roundWithin(low, high, 20);
        expect(found.length).toBeLessThanOrEqual(20);
        for (const value of found) expect(value >= low && value <= high).toBe(true);
      },
    ),
  );
});
