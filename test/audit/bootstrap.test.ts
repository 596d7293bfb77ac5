import { describe, expect, test } from "vitest";
import { bootstrapRemark } from "../../src/audit/explain/search/bootstrap.js";
import { search } from "../../src/audit/explain/search/search.js";
import type { ConventionInput } from "../../src/emulator/scoring/convention.js";
import { inTurn } from "../support/whole.js";
import { fixtureOf, ownOf } from "../support/audit/fixture.js";
import { eachReal, publishedTarget } from "../support/audit/mutation.js";

describe.each([
  ["acr", "quality"],
  ["mushra", ""],
  ["approval", ""],
])("%s %s", async (file, dimension) => {
  const fixture = await fixtureOf(file);
  type Change = Parameters<typeof publishedTarget>[4];

  function remarkOn(
    stats: NonNullable<ConventionInput["stats"]>,
    decimals: number | undefined,
    change?: Change,
  ): string | null {
    const rules = [
      { conventions: { stats }, options: "none" as const, ...(decimals === undefined ? {} : { decimals }) },
    ];
    const target = publishedTarget(fixture, "stats", dimension, rules, change);
    return bootstrapRemark(target, search(target, fixture.evaluator, ownOf(fixture, dimension)), fixture.evaluator);
  }

  test("ends of a bootstrap are said to look like that, whatever the seed and the samples", () => {
    const resampled = [
      [1, 100],
      [7, 1000],
      [12345, 5000],
    ] as const;
    for (const [i, [seed, bootstrap_samples]] of resampled.entries()) {
      for (const decimals of inTurn("precisions", [undefined, 3], i)) {
        expect(remarkOn({ interval: "bootstrap", seed, bootstrap_samples }, decimals), `seed ${seed}`).toContain(
          "percentile bootstrap",
        );
        expect(
          remarkOn({ interval: "bootstrap", seed, bootstrap_samples, sd: "n" }, decimals),
          `seed ${seed}, sd=n`,
        ).toContain("percentile bootstrap");
      }
    }
  });

  test("other ends are not", () => {
    const moved = (low: number, high: number): Change =>
      eachReal((value, field) =>
        field.startsWith("ci_") ? Number((value + (field === "ci_low" ? low : high)).toFixed(12)) : value,
      );
    for (const decimals of [undefined, 3]) {
      for (const change of [
        undefined,
        moved(-0.02, 0.02),
        moved(0.02, -0.02),
        moved(-2, 2),
        moved(0.01, 0),
        moved(0.02, 0.02),
      ])
        expect(remarkOn({}, decimals, change)).toBeNull();
      expect(remarkOn({ interval: "normal" }, decimals)).toBeNull();
    }
  });

  test("not where other numbers differ too", () => {
    const wrong: Change = eachReal((value, field) => (field === "std" ? value * 1.1 : value));
    expect(remarkOn({ interval: "bootstrap", seed: 3, bootstrap_samples: 1000 }, undefined, wrong)).toBeNull();
  });
});
