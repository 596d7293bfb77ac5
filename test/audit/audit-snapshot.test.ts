import { describe, expect, test } from "vitest";
import { createEvaluator } from "../../src/audit/recompute/evaluator.js";
import { ownScenario } from "../../src/audit/recompute/scenario.js";
import { loadRatings } from "../../src/audit/recompute/ratings.js";
import { auditExitCode, readTolerances } from "../../src/audit/index.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { loadCase } from "../support/load-case.js";
import {
  audit,
  audited,
  golden,
  publishIn,
  rounded,
  scoresOf,
  type Expected,
  type PublishedResult,
  publish,
} from "../support/audit/published-case.js";
import { everyNth, isWhole } from "../support/whole.js";

const files = ["tiny-pairwise", "two-dimensions", "codec-preference", "approval", "acr", "mushra"];

function resultsOf(file: string, decimals: number | null): PublishedResult[] {
  return Object.entries(golden(file).expected).flatMap(([dimension, metrics]) =>
    Object.entries(metrics)
      .filter(([kind]) => kind !== "variants")
      .map(([kind, expected]) => ({
        kind,
        dimension,
        scores: scoresOf(rounded(expected as Expected, decimals)),
      })),
  );
}

const tiny = (a = 62.5, b = 44.44444444444444, c = 42.857142857142854): PublishedResult => ({
  kind: "percent_chosen",
  scores: [
    ["A", a],
    ["B", b],
    ["C", c],
  ],
});

describe("auditSnapshot", () => {
  test.each(everyNth(files, 3))(
    "%s: numbers of an independent implementation are exact, whole or rounded",
    async (file) => {
      const digits = file === "approval" ? 2 : 1;
      for (const decimals of everyNth([null, digits], 2, files.indexOf(file))) {
        const report = await audited(file, resultsOf(file, decimals));
        const off = report.rows.filter(
          (r) => r.verdict !== "exact" && r.verdict !== "within_tolerance",
        );
        expect(off).toEqual([]);
        expect(report.rows.length).toBeGreaterThan(6);
        expect(report.summary.exact).toBeGreaterThan(report.rows.length * 0.7);
        expect(report.correctness.compared).toBeGreaterThan(0);
        expect(report.correctness.equal).toBe(report.correctness.compared);
        expect(auditExitCode(report.summary, report.correctness)).toBe(0);
      }
    },
  );

  test("one number off by one unit of its last decimal is unexplained", async () => {
    const scores = scoresOf(
      rounded(golden("codec-preference").expected[""]?.percent_chosen as Expected, 1),
    ) as {
      value: number;
    }[];
    scores[2]!.value += 0.1;
    const report = await audited("codec-preference", [{ kind: "percent_chosen", scores }]);
    expect(report.summary).toMatchObject({ exact: 7, unexplained: 1 });
    const [row] = report.rows.filter((r) => r.verdict === "unexplained");
    expect(row).toMatchObject({ item: "codec-c", field: "value", published: 45.9, tolerance: 0 });
    expect(row?.difference).toBeCloseTo(0.0935, 3);
    expect(auditExitCode(report.summary, report.correctness)).toBe(1);
  });

  test("an item without ratings and an item not published are both shown", async () => {
    const scores = [
      ["A", 62.5],
      ["Z", 50],
    ];
    const report = await audited("tiny-pairwise", [{ kind: "percent_chosen", scores }]);
    expect(report.rows.map((r) => [r.item, r.published, r.recomputed === null, r.verdict])).toEqual(
      [
        ["A", 62.5, false, "exact"],
        ["B", null, false, "unexplained"],
        ["C", null, false, "unexplained"],
        ["Z", 50, true, "unexplained"],
      ],
    );
  });

  test("identifiers above 2^53 are not rounded to others", async () => {
    const warehouse = await publish("tiny-pairwise", [tiny()]);
    for (const table of ["ratings", "slate_ratings"])
      await warehouse.all(`create table far_${table} as
        select * replace (stimulus_id - 100 + 9007199254740992 as stimulus_id) from ${table};
        create or replace view ${table} as from far_${table}`);
    const far = [62.5, 44.44444444444444, 42.857142857142854].map(
      (value, i) => `{"stimulus_id":900719925474099${2 + i},"value":${value}}`,
    );
    await warehouse.all(`update published set scores = '[${far.join(",")}]'`);
    const report = await audit(warehouse);
    expect(report.rows.map((r) => `${r.item} ${r.verdict}`)).toEqual([
      "A exact",
      "B exact",
      "C exact",
    ]);
    warehouse.close();
  });

  test.runIf(isWhole)("identifiers of stimuli with the same name are separate items", async () => {
    const warehouse = await loadCase("tiny-pairwise.json", { threads: 1 });
    for (const table of ["ratings", "slate_ratings"]) {
      await warehouse.all(`create table split_${table} as select * replace (10 * stimulus_id + slate_id % 2 as stimulus_id) from ${table};
        create or replace view ${table} as from split_${table}`);
    }
    await publishIn(warehouse, "exp1", []);
    await audit(warehouse);
    const evaluator = createEvaluator(await loadRatings(warehouse, "exp1"));
    const own = ownScenario(defaultConventions, "", "");
    const { items, columns } = evaluator.table("percent_chosen", {
      ...own,
      population: { ...own.population, item: "stimulus_id" },
    });
    await publishIn(warehouse, "exp1", [
      {
        kind: "percent_chosen",
        scores: items.map((id, i) => ({
          stimulus_id: id,
          value: columns.value?.[i],
          n: columns.n?.[i],
        })),
      },
    ]);
    const report = await audit(warehouse);
    warehouse.close();
    expect(items.length).toBeGreaterThan(3);
    const verdicts = report.rows
      .filter((r) => r.published !== null)
      .map((r) => [r.verdict, r.explanation]);
    expect(new Set(verdicts.map(String))).toEqual(new Set(["unstated,item=stimulus_id"]));
  });

  test("a declared tolerance accepts a difference", async () => {
    const options = { tolerances: readTolerances({ percent_chosen: 0.5 }) };
    const report = await audited("tiny-pairwise", [tiny(62.9, 44.4, 42.9)], { options });
    expect(report.summary).toMatchObject({ exact: 2, within_tolerance: 1 });
  });

  describe("precision belongs to the result", () => {
    const stats = Object.entries(
      golden("mushra").expected[""]?.stats as Record<string, Record<string, number>>,
    );
    const published = (
      decimals: number | null,
      change: (own: Record<string, number>) => Record<string, number>,
    ) =>
      audited("mushra", [
        {
          kind: "stats",
          scores: stats.map(([stimulus, s]) => ({
            stimulus,
            ...rounded(s, decimals),
            ...change(s),
          })),
        },
      ]);

    test("a lower middle score is inconclusive beside numbers with six decimals", async () => {
      const down = (value: number) => Math.floor(10 * value + 1e-6) / 10;
      const { rows, summary, findings } = await published(6, ({ median }) => ({
        median: down(median!),
      }));
      const off = rows.filter(({ verdict }) => verdict !== "exact");
      expect(off.map((row) => [row.item, row.published, row.verdict, row.explanation])).toEqual(
        Object.entries({ anchor35: 51.2, anchor70: 58.2, "neural-6": 59.7 }).map(
          ([item, shown]) => [
            ...[item, shown, "inconclusive"],
            "equal only as rounded to 1 decimal, and other numbers of the result have 6",
          ],
        ),
      );
      expect([summary.inconclusive, findings]).toEqual([3, []]);
      expect(auditExitCode(summary)).toBe(2);
    });

    test.each([6, null])(
      "so are quartiles that are scores, beside numbers with %s decimals",
      async (decimals) => {
        const { rows } = await published(decimals, ({ q1, q3 }) =>
          rounded({ q1: q1!, q3: q3! }, 1),
        );
        const off = rows.filter(({ verdict }) => verdict !== "exact");
        expect(off.length).toBeGreaterThan(7);
        expect(new Set(off.map(({ field, verdict }) => `${field} ${verdict}`))).toEqual(
          new Set(["q1 inconclusive", "q3 inconclusive"]),
        );
      },
    );

    test("numbers that lost only zeros, and fields that are rounded, are exact", async () => {
      for (const change of [
        () => ({}),
        ({ mean }: Record<string, number>) => ({ mean: rounded(mean!, 1) }),
        ({ std, sem }: Record<string, number>) => rounded({ std: std!, sem: sem! }, 2),
      ]) {
        const { summary, rows } = await published(6, change);
        expect(summary).toMatchObject({ exact: rows.length, inconclusive: 0 });
      }
    });
  });
});
