import { describe, expect, test } from "vitest";
import { ownScenario } from "../../src/audit/evaluate/scenario.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { explanationOf } from "../../src/audit/findings/find-cause.js";
import { identify } from "../../src/audit/explain/parameters.js";
import { search } from "../../src/audit/explain/search.js";
import { targetOf, type Target } from "../../src/audit/target.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { auditPublished, fixtureOf, eachReal, publishedTarget } from "../support/audit/mutation.js";

const widths = new Set(["std", "sem"]);
const opposite: Record<string, string> = {
  ci_low: "ci_high",
  ci_high: "ci_low",
  min: "max",
  max: "min",
  q1: "q3",
  q3: "q1",
};

/** published = shift + scale · computed, as a service on another scale would have it. */
const onScale =
  (scale: number, shift: number, decimals?: number) => (row: Record<string, unknown>) => {
    const moved = eachReal((value, field) =>
      widths.has(field) ? Math.abs(scale) * value : shift + scale * value,
    )(row);
    const turned =
      scale > 0
        ? moved
        : Object.fromEntries(
            Object.entries(moved).map(([field, value]) => [opposite[field] ?? field, value]),
          );
    return eachReal((value) => (decimals === undefined ? value : Number(value.toFixed(decimals))))(
      turned,
    );
  };

const fixtures: [file: string, dimension: string, kind: Kind][] = [
  ["acr", "quality", "mean"],
  ["acr", "quality", "stats"],
  ["mushra", "", "mean"],
  ["mushra", "", "stats"],
  ["codec-preference", "", "percent_chosen"],
  ["two-dimensions", "motion", "percent_chosen"],
];

const maps: [scale: number, shift: number, name: string][] = [
  [20, -15, "scale=20 shift=-15"],
  [1, 10, "shift=10"],
  [0.5, 0, "scale=0.5"],
  [10, 0, "scale=10"],
  [-1, 6, "scale=-1 shift=6"],
  [-20, 120, "scale=-20 shift=120"],
];

describe.each(fixtures)("%s %s %s", async (file, dimension, kind) => {
  const fixture = await fixtureOf(file);

  test.each(maps)("finds another scale: %d · x + %d", (scale, shift, name) => {
    for (const decimals of [undefined, 1]) {
      const { explanation } = auditPublished(
        fixture,
        kind,
        dimension,
        [],
        onScale(scale, shift, decimals),
      );
      expect(explanation, `decimals ${decimals}`).toMatchObject({ name, rivals: [] });
      expect(explanation?.reproduced).toBe(explanation?.of);
    }
  });
});

describe("reports only real changes of scale", async () => {
  const fixture = await fixtureOf("codec-preference");
  const rated = await fixtureOf("acr");

  test("finds the scale despite one wrong number", () => {
    for (const decimals of [undefined, 1]) {
      const wrong = eachReal((value, _field, item) => (item === "codec-c" ? value + 3 : value));
      const { explanation } = auditPublished(fixture, "percent_chosen", "", [], (row) =>
        wrong(onScale(0.2, 3, decimals)(row)),
      );
      expect(explanation, `decimals ${decimals}`).toMatchObject({ name: "scale=0.2 shift=3" });
      expect(explanation?.reproduced).toBe((explanation?.of ?? 0) - 1);
    }
  });

  test("reports a fraction of 1 as a fraction, not as a scale of 0.01", () => {
    expect(
      auditPublished(fixture, "percent_chosen", "", [], onScale(0.01, 0)).explanation,
    ).toMatchObject({
      name: "scale=fraction",
      rivals: [],
    });
  });

  test("does not report a curve as a scale and shift", () => {
    for (const decimals of [undefined, 1]) {
      const bent = eachReal((value) =>
        Number((value + (value - 50) ** 2 / 100).toFixed(decimals ?? 12)),
      );
      expect(auditPublished(fixture, "percent_chosen", "", [], bent).explanation).toBeNull();
    }
  });

  test("states a range that contains every scale and shift that matches", () => {
    for (const [scale, shift] of [
      [0.0231, 3.17],
      [-0.0231, 7.17],
    ] as const) {
      const { explanation } = auditPublished(
        fixture,
        "percent_chosen",
        "",
        [],
        onScale(scale, shift, 2),
      );
      const ranges = Object.fromEntries(
        (explanation?.parameters ?? []).map(({ name, low, high }) => [name, [low, high] as const]),
      );
      for (const [name, planted] of Object.entries({ scale, shift })) {
        const [low, high] = ranges[name] ?? [NaN, NaN];
        expect(low, name).toBeLessThan(planted);
        expect(high, name).toBeGreaterThan(planted);
      }
    }
  });

  test("finds no scale in numbers that differ by a unit or two of their last decimal", () => {
    for (const highest of [3.1, 3.2]) {
      const few = eachReal((value) => (value < 50 ? 3 : highest));
      expect(
        auditPublished(fixture, "percent_chosen", "", [], few).explanation,
        `${highest}`,
      ).toBeNull();
    }
  });

  test("finds no scale in as many distinct numbers as free parameters", () => {
    const target = publishedTarget(rated, "mean", "quality", [], onScale(20, -15));
    const result = search(target, rated.evaluator, ownScenario(defaultConventions, "quality", ""));
    const withNumbers = (distinct: number): Target => ({
      ...target,
      cells: target.cells.map((cell, i) => ({
        ...cell,
        published: { ...cell.published, value: i % distinct },
      })),
    });
    expect(result.candidates[0]?.parameters).toHaveLength(2);
    expect(explanationOf(withNumbers(2), result)).toBeNull();
    expect(explanationOf(target, result)).not.toBeNull();
  });

  test("finds no line through only two numbers", () => {
    const target = publishedTarget(rated, "mean", "quality", [], onScale(0.7, 1.3));
    const cells = target.cells.filter(({ field }) => field === "value").slice(0, 2);
    const two = targetOf({ ...target.group, cells }, "mean", target.tolerances);
    const own = ownScenario(defaultConventions, "quality", "");
    expect(identify(two, rated.evaluator, own, [])).toEqual([]);
    const result = search(two, rated.evaluator, own);
    expect(explanationOf(two, result)).toBeNull();
  });

  test("does not reproduce a width that was not multiplied by the scale", () => {
    const kept = (row: Record<string, unknown>): Record<string, unknown> => ({
      ...onScale(10, 0)(row),
      std: row.std,
    });
    const { explanation } = auditPublished(rated, "stats", "quality", [], kept);
    expect(explanation).toMatchObject({ name: "scale=10" });
    expect(explanation?.reproduced).toBeLessThan(explanation?.of ?? 0);
  });
});
