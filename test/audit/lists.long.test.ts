import { describe, expect, test } from "vitest";
import { auditExitCode, traceNumbers, type AuditReport } from "../../src/audit/index.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { renderAudit, renderTrace } from "../../src/report/index.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import {
  audit,
  audited,
  golden,
  listIn,
  publish,
  publishIn,
  scoresOf,
  type Expected,
  type Lists,
} from "../support/audit/published-case.js";
import { auditText } from "../support/audit-report.js";

const {
  percent_chosen: percent,
  elo,
  variants,
} = golden("codec-preference").expected[""] as Record<string, Expected> & {
  variants: Record<string, Expected>;
};
const percentScores = scoresOf(percent as Expected) as { stimulus: string; value: number }[];
const eloScores = scoresOf(elo as Expected) as { stimulus: string; value: number }[];
const whole = { experiment_id: "exp2", source: "exp2", dimension: "" };
const board = {
  id: "B1",
  name: "Codecs",
  kind: "percent_chosen",
  experiment_ids: ["exp2"],
  dimension: "",
};
const corrupted = percentScores.map((score, i) =>
  i === 2 ? { ...score, value: score.value + 1.5 } : score,
);
const best = percentScores.toSorted((a, b) => b.value - a.value);
const ranked = best.map((score, i) => ({ ...score, rank: i + 1 }));

const report = (
  lists: Lists,
  results = [{ kind: "percent_chosen", scores: percentScores as unknown[] }],
): Promise<AuditReport> => audited("codec-preference", results, { lists });

const off = ({ rows }: AuditReport) =>
  rows
    .filter((r) => r.verdict !== "exact")
    .map((r) => [r.published_in, r.item, r.field, r.verdict]);

describe("the lists of a project", () => {
  test("are exact when they repeat a result, number by number", async () => {
    const found = await report({
      metrics: [{ ...whole, kind: "percent_chosen", scores: best }],
      leaderboards: [{ ...board, scores: ranked }],
    });
    expect(off(found)).toEqual([]);
    const count = (place: string) => found.rows.filter((r) => r.published_in === place).length;
    expect([count("results"), count("metrics"), count("leaderboard B1")]).toEqual([8, 8, 16]);
    expect(found.contradictions).toEqual([]);
    expect(auditExitCode(found.summary, found.correctness)).toBe(0);
  });

  test("finds a wrong number in the metrics list and names the contradiction", async () => {
    const found = await report({
      metrics: [{ ...whole, kind: "percent_chosen", scores: corrupted }],
    });
    const item = corrupted[2]?.stimulus;
    expect(off(found)).toEqual([["metrics", item, "value", "unexplained"]]);
    expect(found.contradictions).toMatchObject([
      {
        experiment_id: "exp2",
        kind: "percent_chosen",
        source: "",
        item,
        field: "value",
        published: [
          { published_in: "results", value: percentScores[2]?.value },
          { published_in: "metrics", value: corrupted[2]?.value },
        ],
      },
    ]);
    expect(found.findings.map((f) => f.published_in)).toEqual([["metrics"]]);
    expect(auditExitCode(found.summary, found.correctness)).toBe(1);
    expect(renderAudit(found)).toMatch(
      /Published with different values in different places:\n {2}Codec preference, percent_chosen \(all\), codec-c value: 45\.8\d+ in results, 47\.3\d+ in metrics/,
    );
  });

  test("finds a wrong number in a leaderboard, and a rank that contradicts its scores", async () => {
    const wrong = ranked.map((entry, i) => ({
      ...entry,
      value: i === 3 ? entry.value + 0.7 : entry.value,
      rank: [2, 1][i] ?? entry.rank,
    }));
    const found = await report({ leaderboards: [{ ...board, scores: wrong }] });
    expect(off(found)).toEqual(
      [
        [best[0]?.stimulus, "rank"],
        [best[1]?.stimulus, "rank"],
        [best[3]?.stimulus, "value"],
      ]
        .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1))
        .map(([item, field]) => ["leaderboard B1", item, field, "unexplained"]),
    );
    expect(
      found.rows.find((r) => r.field === "rank" && r.item === best[0]?.stimulus),
    ).toMatchObject({
      published: 2,
      recomputed: 1,
      explanation: "the rank contradicts the scores published with it",
    });
  });

  test("accepts a leaderboard with only the best items, and compares ranks without scores with the recomputed ones", async () => {
    const top = await report({
      leaderboards: [
        { ...board, scores: ranked.slice(0, 3) },
        { ...board, id: "B2", scores: ranked.map(({ stimulus, rank }) => ({ stimulus, rank })) },
      ],
    });
    expect(off(top)).toEqual([]);
    const wrong = await report({
      leaderboards: [
        { ...board, scores: ranked.map(({ stimulus, rank }) => ({ stimulus, rank: 9 - rank })) },
      ],
    });
    expect(off(wrong)).toHaveLength(8);
    expect(wrong.rows.find((r) => r.verdict !== "exact")?.explanation).toBe(
      "the rank contradicts the recomputed scores",
    );
  });

  test("searches and reports numbers that are published twice only once", async () => {
    const training = scoresOf(variants["percent_chosen training=include"] as Expected);
    const found = await report(
      {
        metrics: [{ ...whole, kind: "percent_chosen", scores: training }],
        leaderboards: [{ ...board, scores: training.toReversed() }],
      },
      [{ kind: "percent_chosen", scores: training }],
    );
    expect(found.findings.map((f) => [f.published_in, f.explanation?.name])).toEqual([
      [["results", "metrics", "leaderboard B1"], "training=include"],
    ]);
    expect(found.summary).toMatchObject({ unstated: 24, exact: 0 });
    expect(renderAudit(found)).toContain(
      "Codec preference, percent_chosen (results, metrics, leaderboard B1): all 8 numbers match",
    );
  });

  test("reports what cannot be determined, and ignores what has no numbers", async () => {
    const found = await report({
      metrics: [
        { ...whole, kind: "surprise", scores: percentScores },
        { ...whole, source: "exp2,exp9", kind: "percent_chosen", scores: percentScores },
      ],
      leaderboards: [
        { id: "Words", name: "Words", scores: [{ stimulus: "codec-a", note: "good" }] },
        {
          id: "Points",
          name: "Points",
          experiment_ids: ["exp2"],
          scores: [{ stimulus: "codec-a", points: 3 }],
        },
        { ...board, id: "Far", experiment_ids: ["exp9"], scores: percentScores },
      ],
    });
    const told = found.rows
      .filter((r) => r.verdict === "not_auditable")
      .map((r) => [r.published_in, r.experiment_id, r.explanation]);
    expect(told).toHaveLength(4);
    expect(told).toEqual(
      expect.arrayContaining([
        ["metrics", "exp2", expect.stringContaining('unknown metric "surprise"')],
        [
          "metrics",
          "exp2",
          'source: "exp9" is not a job, experiment or leaderboard of this snapshot',
        ],
        [
          "leaderboard Points",
          "exp2",
          "the record names no metric, so its numbers cannot be compared",
        ],
        ["leaderboard Far", "exp9", '"exp9" is not an experiment or job of this snapshot'],
      ]),
    );
    expect(auditExitCode(found.summary, found.correctness)).toBe(2);
    const words = await report({
      leaderboards: [
        { id: "Words", name: "Words", scores: [{ stimulus: "codec-a", note: "good" }] },
      ],
    });
    expect(auditExitCode(words.summary, words.correctness)).toBe(0);
  });

  test("reads one score per record, several metrics in columns, and scores without a dimension", async () => {
    const found = await report({
      metrics: percentScores.map((score) => ({ ...whole, kind: "percent_chosen", ...score })),
      leaderboards: [
        {
          id: "Wide",
          name: "Wide",
          experiment_ids: ["exp2"],
          entries: percentScores.map(({ stimulus, value }) => ({
            name: stimulus,
            percent_chosen: value,
            elo: eloScores.find((e) => e.stimulus === stimulus)?.value,
          })),
        },
      ],
    });
    expect(off(found)).toEqual([]);
    expect(
      found.rows
        .filter((r) => r.published_in !== "results")
        .map((r) => `${r.published_in} ${r.kind}`),
    ).toEqual([
      ...Array.from({ length: 8 }, () => "metrics percent_chosen"),
      ...Array.from({ length: 8 }, () => "leaderboard Wide percent_chosen"),
      ...Array.from({ length: 8 }, () => "leaderboard Wide elo"),
    ]);
  });
});

describe("an experiment that was not selected", () => {
  test("is left out of the audit, and counted", async () => {
    const { auditSnapshot } = await import("../../src/audit/audit.js");
    const warehouse = await publish("codec-preference", [
      { kind: "percent_chosen", scores: percentScores },
    ]);
    await listIn(warehouse, {
      metrics: [{ ...whole, kind: "percent_chosen", scores: percentScores }],
    });
    await audit(warehouse);
    const found = await auditSnapshot(
      warehouse,
      { id: "s", created_at: "", experiments: new Set(["other"]) },
      defaultConventions,
    );
    warehouse.close();
    expect(found.left_out).toEqual([
      { published_in: "metrics", experiment_id: "exp2", numbers: 8 },
    ]);
    expect(found.rows.map((r) => r.published_in)).not.toContain("metrics");
    expect(renderAudit(found)).toContain(
      "Not in this snapshot: 1 experiment, for which the project's lists publish 8 numbers.",
    );
  });
});

test("audit.json has the same bytes for any order of lists and rows, number of threads and time zone", async () => {
  const training = scoresOf(variants["percent_chosen training=include"] as Expected);
  const lists = {
    metrics: [
      { ...whole, kind: "percent_chosen", scores: training },
      { ...whole, kind: "elo", scores: eloScores },
      { ...whole, kind: "mean", scores: 3 },
    ],
    leaderboards: [
      { ...board, scores: corrupted },
      { ...board, id: "B0", scores: ranked },
    ],
    rubrics: [
      { id: "R1", name: "R", leaderboards: [{ ...board, id: "B3", scores: ranked }] },
      { id: "R0", name: "R", leaderboards: [] },
    ],
  };
  const texts = new Set<string>();
  const zone = process.env.TZ;
  for (const threads of [1, 4]) {
    process.env.TZ = threads === 1 ? "UTC" : "Asia/Kolkata";
    const warehouse = await loadCase("codec-preference.json", {
      threads,
      order: threads === 1 ? "" : "order by random()",
    });
    await publishIn(warehouse, "exp2", [{ kind: "percent_chosen", scores: training }]);
    await listIn(
      warehouse,
      threads === 1
        ? lists
        : {
            metrics: lists.metrics.toReversed(),
            leaderboards: lists.leaderboards.toReversed(),
            rubrics: lists.rubrics.toReversed(),
          },
    );
    texts.add(auditText(await audit(warehouse)));
    warehouse.close();
  }
  if (zone === undefined) Reflect.deleteProperty(process.env, "TZ");
  else process.env.TZ = zone;
  expect(texts.size).toBe(1);
  expect([...texts][0]).toContain("rubric R1, leaderboard B3");
});

test("the trace of a number that several lists publish shows the number of each place", async () => {
  const warehouse = await publish("codec-preference", [
    { kind: "percent_chosen", scores: percentScores },
  ]);
  await listIn(warehouse, { metrics: [{ ...whole, kind: "percent_chosen", scores: corrupted }] });
  const report = await audit(warehouse);
  await recomputeBehind(warehouse, ["audit_slates", "metric_elo_order"]);
  const trace = await traceNumbers(warehouse, report, defaultConventions, {
    experiment: "exp2",
    kind: "percent_chosen",
    item: "codec-c",
  });
  warehouse.close();
  const text = renderTrace(trace);
  expect(text).toMatch(/codec-c\s+value\s+results\s.*exact/);
  expect(text).toMatch(/codec-c\s+value\s+metrics\s.*unexplained/);
  expect(text).toMatch(/Why: no convention explains the one number of 8 that differs/);
});

test("a result of more numbers than a call takes arguments is compared", async () => {
  const unknown = Array.from({ length: 130_000 }, (_, i) => ({
    stimulus: `item ${i}`,
    value: i / 8,
  }));
  const result = { kind: "percent_chosen", scores: [...percentScores, ...unknown] };
  const { rows } = await audited("codec-preference", [result], {
    options: { limits: { work: 0 } },
  });
  expect(rows.filter(({ published }) => published !== null)).toHaveLength(
    percentScores.length + unknown.length,
  );
});
