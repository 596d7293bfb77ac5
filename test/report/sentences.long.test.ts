import { afterAll, describe, expect, test } from "vitest";
import { ownScenario, patched, type ScenarioPatch } from "../../src/audit/recompute/scenario.js";
import { traceNumbers, type AuditOptions } from "../../src/audit/index.js";
import { defaultConventions, type Kind } from "../../src/metrics/index.js";
import { renderAudit, renderTrace } from "../../src/report/index.js";
import type { Warehouse } from "../../src/warehouse/index.js";
import { fixtureOf } from "../support/audit/fixture.js";
import {
  audit,
  golden,
  listIn,
  publish,
  publishIn,
  scoresOf,
  type Golden,
  type Lists,
  type Numbers,
  type PublishedResult,
} from "../support/audit/published-case.js";
import { recomputeBehind } from "../support/load-case.js";

type Block = Record<string, Numbers>;

const dimensionOf = (file: string): string => Object.keys(golden(file).expected)[0] ?? "";

function numbersOf(file: string, kind: string): Block {
  const { variants, ...own } = golden(file).expected[
    dimensionOf(file)
  ] as Golden["expected"][string];
  const block = (variants[kind] ?? (own as Golden["expected"][string])[kind]) as Record<
    string,
    number | Numbers
  >;
  return Object.fromEntries(
    Object.entries(block).map(([item, n]) => [item, typeof n === "number" ? { value: n } : n]),
  );
}

const changed = (
  block: Block,
  change: (value: number, field: string, i: number) => number,
): Block =>
  Object.fromEntries(
    Object.entries(block).map(([item, n], i) => [
      item,
      Object.fromEntries(
        Object.entries(n).map(([field, value]) => [field, change(value, field, i)]),
      ),
    ]),
  );
const values = (block: Block): Block =>
  Object.fromEntries(
    Object.entries(block).map(([item, { value }]) => [item, { value: value as number }]),
  );
const digits = (block: Block, decimals: number): Block =>
  changed(block, (v) => Number(v.toFixed(decimals)));

const preference = "codec-preference";
const elo = numbersOf(preference, "elo");
const elo16 = numbersOf(preference, "elo k=16 initial=1000");
const percent = numbersOf(preference, "percent_chosen");
const opinion = numbersOf("mushra", "stats");
const mushra = values(numbersOf("mushra", "mean"));
const training = numbersOf(preference, "percent_chosen training=include");

const unvouched = "Neither documented nor accepted.";

interface Case {
  readonly says: string;
  readonly kind: string;
  readonly numbers: Block;
  readonly file?: string;
  readonly options?: object;
  /** Where they are published; a leaderboard may show some items only. */
  readonly lists?: readonly (keyof Lists)[];
  readonly audit?: AuditOptions;
}

async function under(file: string, kind: Kind, patch: ScenarioPatch): Promise<Block> {
  const { evaluator } = await fixtureOf(file);
  const { items, columns } = evaluator.table(
    kind,
    patched(ownScenario(defaultConventions, "", ""), patch),
  );
  const row = (i: number): Numbers =>
    Object.fromEntries(Object.entries(columns).map(([f, c]) => [f, c[i] as number]));
  return Object.fromEntries(items.map((item, i) => [item, row(i)]));
}
const only = (block: Block, count: number, fields: readonly string[] = ["value"]): Block =>
  Object.fromEntries(
    Object.entries(block)
      .slice(0, count)
      .map(([item, n]) => [
        item,
        Object.fromEntries(fields.map((field) => [field, n[field] as number])),
      ]),
  );
const normal = await under("mushra", "stats", { conventions: { stats: { interval: "normal" } } });
const hinges = await under("mushra", "stats", { conventions: { stats: { quartiles: "hinges" } } });
const elo200 = await under(preference, "elo", {
  conventions: { elo: { k: 16, start: 1000, scale: 200 } },
});
const trainedElo = await under(preference, "elo", { population: { training: "include" } });
const trainedElo16 = await under(preference, "elo", {
  conventions: { elo: { k: 16, start: 1000 } },
  population: { training: "include" },
});
const board = ["leaderboards"] as const;
const accepted = [
  {
    experiment: "exp2",
    kind: "elo",
    convention: "k=16",
    reason: "So says the protocol.",
  },
];

const sentences: Case[] = [
  {
    says: `all 8 numbers match in each of 2 lists when K is 16 (k=16). ${unvouched}`,
    ...{ kind: "elo", numbers: elo16, lists: ["metrics", "leaderboards"] },
  },
  {
    says: "all 8 numbers match when K is 16 (k=16). Accepted: So says the protocol.",
    ...{ kind: "elo", numbers: elo16, audit: { accept: accepted } },
  },
  {
    says: "all 8 numbers match when k = 16, initial_rating = 1000 and scale = 200, all as the published options state (k=16 initial_rating=1000 scale=200).",
    ...{
      kind: "elo",
      numbers: values(elo200),
      options: { k: 16, initial_rating: 1000, scale: 200 },
    },
  },
  {
    says: `the number matches when training ratings are counted too (training=include). ${unvouched}`,
    ...{ kind: "elo", numbers: only(trainedElo, 1), lists: board, options: { start: 2000 } },
  },
  {
    says: `the number that differs matches when the interval uses the normal distribution (interval=normal). ${unvouched}`,
    ...{
      file: "mushra",
      kind: "stats",
      numbers: only(normal, 1, ["mean", "ci_low"]),
      lists: board,
    },
  },
  {
    says: `all 11 numbers that differ match when quartiles are medians of the halves, without the middle score (quartiles=halves). The published numbers cannot distinguish it from: quartiles=hinges; quartiles=type_5. ${unvouched}`,
    ...{ file: "mushra", kind: "stats", numbers: hinges },
  },
  {
    says: `codec-c: 992.908904 published, 989.138904 recomputed (+3.77). 7 of 8 numbers match when K is 16 (k=16). ${unvouched}`,
    ...{ kind: "elo", numbers: changed(elo16, (v, _, i) => (i === 2 ? v + 3.77 : v)) },
  },
  {
    says: "no convention explains the 8 numbers (600 tried); training=include gives 5 of 8, which is too few, and misses codec-c by −4.2.",
    ...{
      kind: "percent_chosen",
      numbers: changed(training, (v, _, i) => v + ([3.77, 1.2, -4.2][i] ?? 0)),
    },
  },
  {
    says: "no convention explains the only number (20 tried); training=include gives it, which may be chance. Accept it if its publisher confirms it.",
    ...{ kind: "percent_chosen", numbers: only(training, 1), lists: board },
  },
  {
    says: "codec-c: 46.506452 published, 45.806452 recomputed (+0.7). No convention explains the one number of 8 that differs (177 tried).",
    ...{ kind: "percent_chosen", numbers: changed(percent, (v, _, i) => (i === 2 ? v + 0.7 : v)) },
  },
  {
    says: "no convention explains the 8 numbers (1 tried); not tried within the work limit: single conventions, pairs of conventions, one rater or session left out; nearest is online Elo (ratings are on the Elo scale, 400 points for odds of 10, with a mean of 994.7): 1 of 8 follow, and the largest differences are −41.75 (codec-a), +32.91 (codec-g) and +26.34 (codec-d); no item is named, as more than half differ.",
    ...{ kind: "elo", numbers: elo16, audit: { limits: { work: 1000 } } },
  },
  {
    says: "no convention explains the 6 numbers (255 tried); nearest is mean score: 0 of 6 follow, and the largest differences are −0.42 (reference), −0.35 (neural-6) and −0.35 (opus-24); no item is named, as more than half differ.",
    ...{
      file: "mushra",
      kind: "mean",
      numbers: digits(
        changed(mushra, (v) => (v * 167) / 168),
        3,
      ),
    },
  },
  {
    says: `all 8 numbers match when training ratings are counted too; and k = 16, as the published options state (k=16 training=include). ${unvouched}`,
    ...{ kind: "elo", numbers: values(trainedElo16), options: { k: 16 } },
  },
  {
    says: `all 8 numbers match when training ratings are counted too, although the published options state training=false (training=include). ${unvouched}`,
    ...{ kind: "percent_chosen", numbers: training, options: { training: false } },
  },
  {
    says: "codec-h: not published. No convention explains the one number of 7 that differs (360 tried); codec-h is not published; every other item matches.",
    ...{ kind: "elo", numbers: only(elo, 7) },
  },
  {
    says: "anchor35, q1: 39.385 published, 39.275 recomputed (+0.11); its q3 does not follow either. anchor70, q1: 48.705 published, 48.225 recomputed (+0.48); its q3 does not follow either. No convention explains the 4 of 66 numbers that differ (135 tried).",
    ...{ file: "mushra", kind: "stats" },
    numbers: changed(opinion, (v, field, i) =>
      i < 2 && /^q[13]/.test(field) ? v + 0.11 + 0.37 * i : v,
    ),
  },
];

describe("each sentence of an audit", () => {
  const opened = new Map<string, Promise<Warehouse>>();
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
  ) {
    const warehouse = await open(file);
    await publishIn(warehouse, golden(file).experiment.id, results);
    await listIn(warehouse, lists);
    return { warehouse, report: await audit(warehouse, {}, options) };
  }

  test.each(sentences)(
    "$says",
    async ({ says, file = preference, kind, numbers, options = {}, lists, audit: how }) => {
      const id = golden(file).experiment.id;
      const record = { kind, dimension: dimensionOf(file), scores: scoresOf(numbers), options };
      const places: Lists = Object.fromEntries(
        (lists ?? []).map((list) => [
          list,
          [{ ...record, id: "b", experiment_id: id, experiment_ids: [id] }],
        ]),
      );
      const { report } = await audited(file, lists === undefined ? [record] : [], places, how);
      const [, why = ""] = /Findings:\n\n.*?: (.*)/.exec(renderAudit(report)) ?? [];
      expect(why.replace(/^.*?\): (?=all|the|no)/, "")).toBe(says);
    },
  );

  test("about numbers that cannot be compared says why", async () => {
    const record = (kind: string, scores: unknown, source = "") => ({ kind, scores, source });
    const results = [
      record("loudness", [{ stimulus: "A", value: 1 }]),
      record("elo", []),
      record("win_loss", 7),
      record("win_loss", { A: "much" }, "job1a"),
      record("elo", [{ stimulus: "Z", value: 2000 }], "job1b"),
      record("elo", [{ stimulus: "A", value: 2000 }], "job9"),
      { ...record("elo", [{ stimulus: "A", value: 2001 }]), experiment_id: "exp9" },
    ];
    const metrics = [
      { experiment_id: "exp1", scores: { A: 1 } },
      { kind: "elo", scores: { A: 1 } },
    ];
    const { report } = await audited(
      "tiny-pairwise",
      results,
      { metrics },
      { limits: { work: 0 } },
    );
    expect([...new Set(report.rows.map((row) => row.explanation))].sort()).toMatchInlineSnapshot(`
      [
        "no published name matches a rated stimulus",
        "no scores were published",
        "scores: an object without readable numbers",
        "scores: expected an array, found number",
        "source: "job9" is not a job, experiment or leaderboard of this snapshot",
        "the record names no experiment",
        "the record names no metric, and too few numbers can be compared to tell which",
        "the snapshot holds no ratings of this experiment",
        "unknown metric "loudness"; known: win_loss, percent_chosen, percent_approved, mean, stats, elo, bayesian_elo, bradley_terry",
      ]
    `);
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
    const report = await audit(warehouse, {}, { limits: { work: 1e5 } });
    await recomputeBehind(warehouse, ["metric_elo_order"], { elo: { permutations: 3 } });
    const text = renderTrace(
      await traceNumbers(warehouse, report, defaultConventions, {
        experiment: "exp3",
        kind: "elo",
      }),
    );
    warehouse.close();
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
    const limits = { work: 1e6 };
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
    expect(renderTrace(trace)).toMatch(/1951\.06 +2305\.46 +-354\.40 +1951\.06 +0 +unexplained/);
  });
});
