import { describe, expect, test } from "vitest";
import { patternOf } from "../../src/audit/findings/pattern.js";
import type { Kind } from "../../src/metrics/kinds.js";
import { auditPublished, fixtureOf, eachReal } from "../support/audit/mutation.js";

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

describe.each(fixtures)("%s %s %s", async (file, dimension, kind) => {
  const fixture = await fixtureOf(file);
  const explained = (scale: number, shift: number, decimals?: number) =>
    auditPublished(fixture, kind, dimension, [], onScale(scale, shift, decimals)).explanation;

  test.each([
    [20, -15],
    [1, 10],
    [0.5, 0],
    [10, 0],
    [-1, 6],
    [-20, 120],
  ])("a line that nobody uses is no convention: %d · x + %d", (scale, shift) => {
    for (const decimals of [undefined, 1])
      expect(explained(scale, shift, decimals), `decimals ${decimals}`).toBeNull();
  });

  test("a share is named as one hundredth of a percentage", () => {
    expect(explained(0.01, 0)).toMatchObject({
      name: kind === "percent_chosen" ? "scale=fraction" : "scale=0.01",
      rivals: [],
    });
  });
});

describe("a usual scale", async () => {
  const rated = await fixtureOf("acr");

  test("is named despite one wrong number", () => {
    const wrong = eachReal((value, _field, item) => (item === "codec-c" ? value + 40 : value));
    for (const decimals of [undefined, 1]) {
      const { explanation } = auditPublished(rated, "mean", "quality", [], (row) =>
        wrong(onScale(100, 0, decimals)(row)),
      );
      expect(explanation, `decimals ${decimals}`).toMatchObject({ name: "scale=100" });
    }
  });

  test("does not reproduce a width that was not multiplied by it", () => {
    const kept = (row: Record<string, unknown>): Record<string, unknown> => ({
      ...onScale(100, 0)(row),
      std: row.std,
    });
    const { explanation } = auditPublished(rated, "stats", "quality", [], kept);
    expect(explanation).toMatchObject({ name: "scale=100" });
    expect(explanation?.reproduced).toBeLessThan(explanation?.of ?? 0);
  });
});

test("a curve is no convention", async () => {
  const fixture = await fixtureOf("codec-preference");
  for (const decimals of [1, 12]) {
    const bent = eachReal((value) => Number((value + (value - 50) ** 2 / 100).toFixed(decimals)));
    expect(auditPublished(fixture, "percent_chosen", "", [], bent).explanation).toBeNull();
  }
});

test.each([
  [(v: number) => v + 10, "every difference is +10"],
  [(v: number) => 0.5 * v, "every number is 0.5000 times the recomputed one"],
  [
    (v: number) => 20 * v - 15,
    "differences follow the rank, from +74.3 for the highest to +8.94 for the lowest",
  ],
])("what the differences of a line have in common is said: %s", (by, says) => {
  const own = [4.7, 4.1, 3.62, 2.9, 2.2, 1.26];
  expect(patternOf(own.map((recomputed) => ({ recomputed, published: by(recomputed) })))).toBe(
    says,
  );
});
