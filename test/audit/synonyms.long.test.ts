import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditExitCode } from "../../src/audit/index.js";
import { renderAudit } from "../../src/report/index.js";
import type { Warehouse } from "../../src/warehouse/index.js";
import {
  audit,
  golden,
  publish,
  publishIn,
  scoresOf,
  type Golden,
  type Numbers,
} from "../support/audit/published-case.js";

const own = golden("codec-preference").expected[""] as Golden["expected"][string];
type Entry = Record<string, unknown>;

describe("a number that is published under several names", () => {
  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await publish("codec-preference", []);
  });
  afterAll(() => {
    warehouse.close();
  });

  async function audited(
    kind: string,
    change: (entry: Numbers) => Entry,
    more: readonly unknown[] = [],
  ) {
    const scores = scoresOf(own[kind] as Record<string, number | Numbers>) as Numbers[];
    const changed = scores.map((entry) => ({ ...entry, ...change(entry) }));
    await publishIn(warehouse, "exp2", [{ kind, scores: [...changed, ...more] }]);
    return audit(warehouse);
  }

  test.each([
    ["percent_chosen", "mean", (e: Numbers) => ({ mean: (e.value as number) + 3 })],
    ["percent_chosen", "percent", (e: Numbers) => ({ percent: (e.value as number) + 1 })],
    ["win_loss", "value", (e: Numbers) => ({ value: (e.wins as number) + 1 })],
    ["elo", "rating", (e: Numbers) => ({ rating: (e.value as number) - 0.5 })],
    ["elo", "elo", (e: Numbers) => ({ elo: e.value as number, value: (e.value as number) + 40 })],
    ["elo", "rating", (e: Numbers) => ({ rating: (e.value as number) / 100 })],
    ["win_loss", "won", (e: Numbers) => ({ won: 100 * (e.wins as number) })],
    ["percent_chosen", "value", (e: Numbers) => ({ score: { value: (e.value as number) + 3 } })],
  ])(
    "is wrong in %s if %s contradicts it, and is listed as a contradiction",
    async (kind, key, change) => {
      const { summary, correctness, contradictions, rows, ...report } = await audited(kind, change);
      const other = key === "elo" ? "value" : key;
      expect(summary).toMatchObject({ unexplained: 8 });
      expect(auditExitCode(summary, correctness)).toBe(1);
      expect(rows.filter((row) => row.verdict === "unexplained").map((row) => row.field)).toEqual(
        Array.from({ length: 8 }, () => other),
      );
      expect(contradictions).toHaveLength(8);
      expect(contradictions[0]?.published.map((p) => p.published_in)).toEqual([
        "results",
        `results as ${other}`,
      ]);
      expect(renderAudit({ ...report, summary, correctness, contradictions, rows })).toContain(
        `in results as ${other}`,
      );
    },
  );

  test.each([
    ["percent_chosen", (e: Numbers) => ({ percent: Number((e.value as number).toFixed(1)) })],
    ["percent_chosen", (e: Numbers) => ({ mean: (e.value as number) / 100 })],
    ["elo", (e: Numbers) => ({ rating: String(e.value), rank: "" })],
  ])(
    "agrees in %s if one is the other rounded, or a share and its percentage: %o",
    async (kind, change) => {
      const { summary, contradictions, unread_fields: unread } = await audited(kind, change);
      expect(summary).toMatchObject({ unexplained: 0 });
      expect([contradictions, unread]).toEqual([[], []]);
    },
  );

  test.each([
    ["elo", (e: Numbers) => ({ std: 30, ci_low: (e.value as number) - 1 }), ["ci_low", "std"]],
    [
      "elo",
      (e: Numbers) => ({ details: { mean: e.value }, history: [1, 2] }),
      ["details.mean", "history"],
    ],
    ["elo", () => ({ stats: { ci: { low: 3 } } }), ["stats.ci.low"]],
    ["elo", () => ({ rank: 1, position: 2 }), ["position"]],
    ["percent_chosen", () => ({ percent: "about 50 %" }), ["percent"]],
    ["percent_chosen", () => ({ percent: "pending" }), ["percent"]],
    ["percent_chosen", () => ({ median: 3 }), ["median"]],
  ])(
    "a field that %s does not define, or that is not a number, is listed: %o",
    async (kind, change, fields) => {
      const { unread_fields: unread } = await audited(kind, change);
      expect(unread.map(({ field }) => field)).toEqual(fields);
    },
  );

  test("an element without a readable number is not auditable, even if the others are exact", async () => {
    const { summary, rows } = await audited("elo", () => ({}), [["codec-a", 7, 8]]);
    expect(summary).toMatchObject({ exact: 8, not_auditable: 1 });
    expect(rows.find((row) => row.verdict === "not_auditable")?.explanation).toBe(
      "scores[8]: no item with a number",
    );
  });

  test("a field without a definition is listed", async () => {
    const report = await audited("elo", () => ({ sigma: 30, note: "as measured" }));
    expect(report.unread_fields).toMatchObject([
      { kind: "elo", published_in: "results", field: "sigma", numbers: 8 },
    ]);
    expect(renderAudit(report)).toContain(
      "Fields without a definition, not audited: sigma of elo (8 numbers).",
    );
  });
});

test("statistics without a mean are inconclusive if all their fields are coarse", async () => {
  const [dimension = ""] = Object.keys(golden("acr").expected);
  const all = Object.entries(golden("acr").expected[dimension]?.stats as Record<string, Numbers>);
  const scores = all.map(([stimulus, { median, min, max, n }]) => ({
    stimulus,
    median,
    min,
    max,
    n,
  }));
  const warehouse = await publish("acr", [{ kind: "stats", dimension, scores }]);
  const report = await audit(warehouse);
  warehouse.close();
  // The median is not taken for the mean that is missing.
  expect(report.summary).toMatchObject({
    exact: all.length,
    inconclusive: 3 * all.length,
    unexplained: 0,
  });
  expect(report.results[0]?.distinguishable).toBeLessThan(10);
});

test("a median of five-point scores in whole numbers is inconclusive", async () => {
  const [dimension = ""] = Object.keys(golden("acr").expected);
  const medians = Object.entries(
    golden("acr").expected[dimension]?.stats as Record<string, Numbers>,
  );
  const warehouse = await publish("acr", [
    {
      kind: "mean",
      dimension,
      scores: medians.map(([stimulus, { median }]) => ({ stimulus, value: median })),
    },
  ]);
  const report = await audit(warehouse, { mean: "median" });
  warehouse.close();
  expect(report.results).toMatchObject([{ kind: "mean", numbers: 7 }]);
  expect(report.results[0]?.distinguishable).toBeLessThan(6);
  expect(report.summary).toMatchObject({ inconclusive: 7, exact: 0 });
});
