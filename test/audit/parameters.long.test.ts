import { describe, expect, test } from "vitest";
import type { Kind } from "../../src/metrics/kinds.js";
import type { ConventionInput } from "../../src/emulator/scoring/convention.js";
import type { PublishingRule } from "../../src/emulator/index.js";
import { auditPublished, fixtureOf, eachReal, type Fixture } from "../support/audit/mutation.js";

const planted: [kind: Kind, ConventionInput, name: string][] = [
  ["elo", { elo: { k: 16, start: 1000 } }, "k=16"],
  ["elo", { elo: { k: 4, start: 1000 } }, "k=4"],
  ["elo", { elo: { k: 8 } }, "k=8"],
  ["bayesian_elo", { bayesian_elo: { shape: 3 } }, "shape=3"],
  ["bayesian_elo", { bayesian_elo: { scale: 200, anchor: 1500 } }, "unit=half_elo"],
];

const precisions = [{}, { decimals: 1 }] as const;
const under = (conventions: ConventionInput, rest: PublishingRule = {}): PublishingRule[] => [
  { conventions, options: "none", ...rest },
];
const explained = (
  fixture: Fixture,
  dimension: string,
  bayesian_elo: ConventionInput["bayesian_elo"],
  rest?: PublishingRule,
) =>
  auditPublished(
    fixture,
    "bayesian_elo",
    dimension,
    under({ bayesian_elo: bayesian_elo ?? {} }, rest),
  ).explanation;

describe("codec-preference", async () => {
  const fixture = await fixtureOf("codec-preference");

  test.each(["elo", "bayesian_elo"] as const)("%s: another level is no difference", (kind) => {
    const moved = { elo: { start: 1480 }, bayesian_elo: { anchor: 1480 } };
    for (const precision of precisions)
      expect(auditPublished(fixture, kind, "", under(moved, precision)).exact).toBe(true);
  });

  test("names natural logarithms", () => {
    const conventions = { elo: { k: (32 * Math.LN10) / 400, start: 0, scale: Math.LN10 } };
    expect(auditPublished(fixture, "elo", "", under(conventions))).toMatchObject({
      explanation: { name: "unit=natural", rivals: [] },
      missed: [],
    });
  });

  test.each(planted)("%s: names %j despite one wrong number", (kind, conventions, name) => {
    for (const by of [400, -0.7]) {
      const wrong = eachReal((value, field, item) =>
        item === "codec-d" && field === "value" ? Number((value + by).toFixed(9)) : value,
      );
      const found = auditPublished(fixture, kind, "", under(conventions), wrong);
      expect(found, `${by}`).toMatchObject({ explanation: { name }, missed: ["codec-d"] });
    }
  });
});

test("names other interval labels together with parameters", async () => {
  const fixture = await fixtureOf("codec-preference");
  const shifted = { interval_labels: "shifted" } as const;
  const cases = [
    [{ shape: 2, rate: 0.05 }, "shape=2"],
    [{ scale: 200 }, "unit=half_elo"],
  ] as const;
  for (const [bayesian_elo, name] of cases) {
    for (const precision of precisions) {
      const explanation = explained(fixture, "", { ...bayesian_elo, ...shifted }, precision);
      expect(explanation).toMatchObject({ name: `labels=shifted ${name}`, rivals: [] });
    }
  }
});

test("names a threshold so low that the fit converges, under other interval labels", async () => {
  const bothWays = await fixtureOf("two-dimensions", {
    own: { bayesian_elo: { stop_elo: 1, interval_labels: "shifted" } },
  });
  const published = { stop_elo: null, interval_labels: "own" } as const;
  expect(explained(bothWays, "motion", published, { decimals: 1 })).toMatchObject({
    name: "labels=own stop_elo=none",
    rivals: [],
  });
});

test("finds parameters from single-precision numbers", async () => {
  const fixture = await fixtureOf("codec-preference");
  for (const [kind, conventions, name] of [planted[0], planted[1], planted[3]] as typeof planted) {
    const single = [{ conventions, options: "none", single_precision: true }] as const;
    expect(auditPublished(fixture, kind, "", single).explanation?.name).toBe(name);
    const none = auditPublished(fixture, kind, "", [{ options: "none", single_precision: true }]);
    expect(none.exact).toBe(true);
    const wrong = eachReal((value, field, item) =>
      item === "codec-d" && field === "value" ? Math.fround(value * (1 + 2 ** -20)) : value,
    );
    expect(
      auditPublished(fixture, kind, "", [{ options: "none", single_precision: true }], wrong),
    ).toMatchObject({
      exact: false,
      explanation: null,
    });
  }
});
