import { afterAll, describe, expect, test } from "vitest";
import type { Warehouse } from "../../src/warehouse/index.js";
import { auditSnapshot, traceNumbers, type AuditOptions, type AuditReport } from "../../src/audit/index.js";
import { resolve } from "../../src/audit/published/read-published.js";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { resultLine } from "../../src/report/audit-table.js";
import { renderAudit, renderTrace } from "../../src/report/index.js";
import { recomputeBehind } from "../support/load-case.js";
import { deceptions } from "../support/audit/deceptions.js";
import { templatesIn, unsaid } from "../support/templates.js";
import {
  audit,
  golden,
  listIn,
  publish,
  publishIn,
  scoresOf,
  snapshot,
  type Lists,
  type Numbers,
  type PublishedResult,
} from "../support/audit/published-case.js";
import {
  changed,
  digits,
  dimensionOf,
  elo,
  elo16,
  mushra,
  numbersOf,
  percent,
  preference,
  sentences,
} from "./sentence-cases.js";

/** The sources of everything that an audit or a trace prints. */
const scope = [
  "report/findings.ts",
  "report/audit-table.ts",
  "report/results.ts",
  "report/trace.ts",
  "report/numbers.ts",
  "report/table.ts",
  "audit/findings/find-cause.ts",
  "audit/coarse.ts",
  "audit/compare.ts",
  "audit/contradictions.ts",
  "audit/audit-snapshot.ts",
  "audit/published/read-published.ts",
  "audit/published/records.ts",
  "audit/published/scores.ts",
];

describe("each sentence of an audit", () => {
  const opened = new Map<string, Promise<Warehouse>>();
  const said: string[] = [];
  const open = (file: string): Promise<Warehouse> => {
    const warehouse = opened.get(file) ?? publish(file, []);
    opened.set(file, warehouse);
    return warehouse;
  };
  afterAll(async () => {
    for (const warehouse of opened.values()) (await warehouse).close();
  });

  async function audited(
    file: string,
    results: readonly PublishedResult[],
    lists: Lists,
    options?: AuditOptions,
    unsettled = snapshot.unsettled,
  ) {
    const warehouse = await open(file);
    await publishIn(warehouse, golden(file).experiment.id, results);
    await listIn(warehouse, lists);
    const report = await audit(warehouse, {}, options, unsettled);
    print(report);
    return { warehouse, report };
  }

  test.each(sentences)("$says", async ({ says, file = preference, kind, numbers, options = {}, lists, audit: how }) => {
    const id = golden(file).experiment.id;
    const record = { kind, dimension: dimensionOf(file), scores: scoresOf(numbers), options };
    const places: Lists = Object.fromEntries(
      (lists ?? []).map((list) => [list, [{ ...record, id: "b", experiment_id: id, experiment_ids: [id] }]]),
    );
    const { report } = await audited(file, lists === undefined ? [record] : [], places, how);
    const [, why = ""] = /Findings:\n\n.*?: (.*)/.exec(renderAudit(report)) ?? [];
    expect(why.replace(/^.*?\): (?=all|the|no)/, "")).toBe(says);
  });

  test("about numbers that cannot be compared", async () => {
    const record = (kind: string, scores: unknown, source = "") => ({ kind, scores, source });
    const shares = [
      { stimulus: "A", value: 40, percent: 70, rank: 3, shade: 2 },
      { stimulus: "B", value: 50, rank: 1 },
      { stimulus: "Z", value: 50 },
    ];
    const results = [
      record("loudness", [{ stimulus: "A", value: 1 }]),
      record("elo", []),
      record("win_loss", 7),
      record("win_loss", { A: "much" }, "job1a"),
      record("win_loss", [7], "job1b"),
      record("elo", [{ stimulus: "Z", value: 2000 }], "job1b"),
      record("elo", [{ stimulus: "A", value: 2000 }], "job9"),
      record("bayesian_elo", [{ stimulus: "A", value: 2000 }], "job1a,job1b"),
      record("percent_chosen", shares),
      record("percent_chosen", [{ stimulus: "A", rank: 3 }], "job1a"),
      { ...record("elo", [{ stimulus: "A", value: 2000 }]), experiment_id: "exp9" },
      { ...record("elo", [{ stimulus: "A", value: 2001 }], "exp1"), experiment_id: "exp9" },
    ];
    const metrics = [
      { experiment_id: "exp1", scores: { A: 1 } },
      { kind: "elo", scores: { A: 1 } },
      { kind: "elo", experiment_id: "exp9", scores: { A: 1 } },
      { kind: "percent_chosen", experiment_id: "exp1", scores: { A: 41, B: 50 } },
    ];
    const board = { kind: "elo", experiment_ids: ["exp1"], scores: [{ stimulus: "A", value: 2002 }] };
    const boards = {
      leaderboards: [
        { id: "l1", ...board },
        { id: "l3", experiment_ids: ["exp1"], scores: [{ stimulus: "A", votes: 7 }] },
      ],
      rubrics: [{ id: "r1", leaderboards: [{ id: "l2", ...board }] }],
    };
    const { report } = await audited("tiny-pairwise", results, { metrics, ...boards }, { limits: null });
    expect(report.rows.map((row) => row.published_in)).toEqual(
      expect.arrayContaining(["results of exp9", "leaderboard l1", "rubric r1, leaderboard l2"]),
    );
    expect(renderAudit(report)).toContain(
      "Tiny pairwise, percent_chosen (all), A value: 40 in results, 41 in metrics, 70 in results as percent",
    );
    const experiments = new Map([
      ["a", ""],
      ["b", ""],
    ]);
    const known = { experiments, jobs: new Map(), leaderboards: new Map(), sets: new Set<string>() };
    const pooled = resolve(known, { home: null, sources: [], jobs: [], leaderboards: [], experiments: ["a", "b"] });
    said.push("problem" in pooled ? pooled.problem : "");
  });

  test("about a set of jobs that was published after the models were made", async () => {
    const { warehouse } = await audited("tiny-pairwise", [], {});
    const scores = [{ stimulus: "A", value: 2000 }];
    await publishIn(warehouse, "exp1", [{ kind: "elo", scores, source: "job1a,job1b" }]);
    print(await auditSnapshot(warehouse, snapshot, defaultConventions, { limits: null }));
  });

  test("about too few ratings", async () => {
    const few = await publish("mushra", []);
    await few.all(`create table kept as from ratings where slate_id = (select min(slate_id) from ratings where not is_training);
      create or replace view ratings as from kept`);
    const [item = ""] = Object.keys(mushra);
    await publishIn(few, golden("mushra").experiment.id, [
      { kind: "stats", scores: { [item]: { mean: 50, std: 3 } } },
      { kind: "elo", scores: { [item]: 2010 } },
    ]);
    const report = await audit(few, {}, { limits: null });
    print(report);
    few.close();
  });

  test("about what was accepted", async () => {
    const accept = [
      { experiment: "exp2", kind: "elo", convention: "k=24", reason: "" },
      { experiment: "exp2", kind: "mean", convention: "k=24", reason: "" },
    ];
    const scores = scoresOf(changed(elo16, (v, _, i) => (i === 2 ? v + 3.77 : v)));
    await audited(preference, [{ kind: "elo", scores }], {}, { accept });
    await audited(preference, [{ kind: "elo", scores: scoresOf(elo) }], {}, { accept });
    await audited(preference, [{ kind: "elo", scores }], {}, { accept }, new Map([["exp2", "torn"]]));
  });

  test("about numbers that agree, and about what was not read", async () => {
    const single = scoresOf(changed(percent, (v) => Math.fround(v)));
    const { report } = await audited(preference, [{ kind: "percent_chosen", scores: single }], {});
    const coarse = await audited(
      preference,
      [
        {
          kind: "percent_chosen",
          scores: scoresOf(
            digits(
              changed(percent, (v) => v / 10),
              0,
            ),
          ),
        },
      ],
      {},
      { limits: null },
    );
    expect(coarse.report.results[0]?.distinguishable).toBeLessThan(10);
    const stats = numbersOf("mushra", "stats");
    const short = (v: number, field: string): number => (/^q/.test(field) ? Number(v.toFixed(1)) : v);
    for (const numbers of [stats, digits(stats, 6)])
      await audited("mushra", [{ kind: "stats", scores: scoresOf(changed(numbers, short)) }], {}, { limits: null });
    const wrong = { experiment_id: "exp2", session_id: "s", slate_id: "7", stimulus: "a", dimension: "" };
    print({
      ...report,
      correctness: {
        compared: 10,
        equal: 9,
        different: [{ ...wrong, published: true, recomputed: null }],
        inconclusive: [],
      },
      left_out: [{ published_in: "metrics", experiment_id: "exp9", numbers: 2 }],
      unread: [
        { list: "metrics", reason: "not_permitted", sources: ["job2a"] },
        { list: "rubrics", reason: "not_offered" },
        { list: "leaderboards", reason: "not_exported" },
      ],
      results: [{ ...(coarse.report.results[0] as AuditReport["results"][number]) }],
    });
    const odd = { experiment_id: "exp2", reason: "isCorrect is text", ratings: 2 };
    const correctness = { compared: 0, equal: 0, different: [], inconclusive: [odd] };
    print({ ...report, rows: [], findings: [], correctness });
    const lost = { list: "metrics", experiment_id: "exp2", experiment_name: "", source: "", elements: 2 } as const;
    const warehouse = await open(preference);
    print(await auditSnapshot(warehouse, { ...snapshot, quarantined: [lost] }, defaultConventions, { limits: null }));
  });

  test("about what cannot hold", async () => {
    const ignore = [{ field: "votes", reason: "Votes of the website." }];
    const votes = { kind: "elo", scores: scoresOf(elo).map((entry) => ({ ...(entry as object), votes: 7 })) };
    await audited(preference, [votes], {}, { ignore, limits: null });
    const names = /^elo, k=16.* stated|^a rank beside no score|^means in whole|^two places that round/;
    for (const { file, results, lists, options } of deceptions.filter(({ name }) => names.test(name)))
      await audited(file, results, lists ?? {}, options);
    const unrated = [
      { stimulus: "codec-a", rank: 1 },
      { stimulus: "codec-y", rank: 9 },
    ];
    await audited(preference, [{ kind: "elo", scores: unrated }], {}, { limits: null });
  });

  test("of a trace", async () => {
    const warehouse = await publish("two-dimensions", []);
    await warehouse.all(
      "create table kept as select * replace (if(slate_id % 7 = 0, null, score) as score) from ratings; create or replace view ratings as from kept",
    );
    const dimension = dimensionOf("two-dimensions");
    const scores = scoresOf(numbersOf("two-dimensions", "elo"));
    const results = [
      { kind: "elo", dimension, scores, options: { k: 32 } },
      { kind: "elo", dimension, scores, source: "job3a" },
    ];
    await publishIn(warehouse, "exp3", results);
    const report = await audit(warehouse, {}, { limits: { depth: 1, work: 1e5 } });
    await recomputeBehind(warehouse, ["metric_elo_order"], { elo: { permutations: 3 } });
    const text = renderTrace(
      await traceNumbers(warehouse, report, defaultConventions, { experiment: "exp3", kind: "elo" }),
    );
    warehouse.close();
    said.push(text);
    for (const line of [
      "For dimension motion, the whole experiment:\nCompared 5 published numbers: 5 unexplained.\nThe published options state: k=32.\n",
      "356 of 540 ratings count, from 26 of 30 sessions. All ratings include 60 in training, 72 from sessions that were not completed, 78 without a score.\nThey make 178 comparisons; skipped 30 slates with fewer than two scores.\n",
      "For dimension motion, job3a:\n",
      "They make 178 comparisons in the whole experiment; skipped 30 slates with fewer than two scores.\n",
    ])
      expect(text).toContain(line);
  });

  test("has the number that a repair gives", async () => {
    const [a = "", b = ""] = Object.keys(elo);
    const swapped = { ...elo, [a]: elo[b] as Numbers, [b]: elo[a] as Numbers };
    const limits = { depth: 1, work: 1e6 };
    const { warehouse, report } = await audited(
      preference,
      [{ kind: "elo", scores: scoresOf(swapped) }],
      {},
      { limits },
    );
    expect(report.findings[0]?.smallest_difference?.change).toBe("exchanged");
    const off = report.rows.filter(({ verdict }) => verdict === "unexplained");
    expect(off.map(({ item }) => item)).toEqual([a, b]);
    for (const row of off) expect(row.under_explanation).toBeCloseTo(row.published ?? NaN, 9);
    for (const row of off) expect(row.remaining).toBeCloseTo(0, 9);
    const request = { experiment: "exp2", kind: "elo", item: a };
    await recomputeBehind(warehouse, ["metric_elo_order"]);
    const trace = await traceNumbers(warehouse, report, defaultConventions, request);
    const explained = { part: 109, whole: 366, value: 29.78, says: "training counts" };
    const quotients = [{ item: a, part: 86, whole: 262, value: 32.82, explained }];
    said.push(renderTrace({ ...trace, parts: trace.parts.map((part) => ({ ...part, quotients })) }));
    expect(said.at(-1)).toMatch(/1951\.06 +2305\.46 +-354\.40 +1951\.06 +0 +unexplained/);
  });

  test("has a case", () => {
    const missing = unsaid(templatesIn(scope), said);
    // What is said of a query's rows has its cases in rows-table.test.ts, of numbers without ratings in grim.test.ts.
    const elsewhere = /: select |--rows all|not fit$|the terminal|whole scores up to|scores are whole/;
    expect(missing.filter((text) => !elsewhere.test(text))).toEqual([]);
  });

  function print(report: AuditReport): void {
    said.push(
      renderAudit(report),
      renderAudit(report, { isVerbose: true }),
      resultLine(report),
      ...report.rows.map((row) => row.explanation ?? ""),
    );
  }
});
