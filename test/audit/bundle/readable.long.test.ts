import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readableEntries } from "../../../src/audit/bundle/readable.js";
import { unpackZip } from "../../../src/audit/bundle/zip.js";
import {
  auditLake,
  verifyBundle,
  writeBundle,
  type AuditReport,
  type LakeAudit,
} from "../../../src/audit/index.js";
import {
  conventionsWith,
  type Conventions,
  type ConventionsInput,
  kinds,
  metricKind,
  type Kind,
} from "../../../src/metrics/index.js";
import { modelPlan, modelsBehind, recomputeModels } from "../../../src/warehouse/index.js";
import { row, reportOf } from "../../support/audit-report.js";
import { auditSettings } from "../../support/audit/settings.js";
import { recountHere } from "../../support/in-process.js";
import { goldenLake, goldenProject } from "../../support/kept.js";
import { plainRows } from "../../support/plain-duckdb.js";
import { everyNth } from "../../support/whole.js";

type Rows = readonly Readonly<Record<string, unknown>>[];

const answerOf = (folder: string, sql: string): Promise<Rows> =>
  plainRows(undefined, `set file_search_path = '${folder}'`, sql);

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "recount-readable-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Kinds whose numbers a kernel computes: of them a script gives the comparisons. */
const fitted: readonly Kind[] = ["elo", "bayesian_elo", "bradley_terry"];

/** Columns that a kernel computes, which are null in a script; and an instant, which DuckDB gives as an object. */
const left = new Set(["ci_low", "ci_high", "updated_at"]);

const texts = (rows: Rows): string[] =>
  rows.map((one) =>
    Object.entries(one)
      .flatMap(([name, value]) => (left.has(name) ? [] : [`${name}=${String(value)}`]))
      .join(" "),
  );

async function scriptsOf(
  { snapshot }: LakeAudit,
  conventions: Conventions,
): Promise<Map<string, string>> {
  const report = reportOf(kinds.map((kind) => row("a", "exact", { kind })));
  const folder = `lake/${goldenProject}/snapshots/${snapshot.id}`;
  const entries = await readableEntries(snapshot, conventions, report, "", folder);
  return new Map(entries.map(({ path, content }) => [path, content as string]));
}

function eloOf(comparisons: Rows, { elo }: Conventions): Map<string, number> {
  const ratings = new Map<string, number>();
  for (const { dimension, item_a, item_b, outcome } of comparisons) {
    const [a, b] = [
      `${String(dimension)} ${String(item_a)}`,
      `${String(dimension)} ${String(item_b)}`,
    ];
    const [ratingA, ratingB] = [ratings.get(a) ?? elo.start, ratings.get(b) ?? elo.start];
    const change =
      elo.k * ((Number(outcome) + 1) / 2 - 1 / (1 + 10 ** ((ratingB - ratingA) / 400)));
    ratings.set(a, ratingA + change);
    ratings.set(b, ratingB - change);
  }
  return ratings;
}

const cases: readonly (readonly [file: string, conventions: ConventionsInput])[] = [
  ["tiny-pairwise", { incorrect: "exclude_sessions" }],
  ["acr", { screen: "bt500", incorrect: "exclude_sessions", stats: { interval: "bootstrap" } }],
  ["mushra", { screen: "p808", pairs: "all", mean: "rater_z" }],
  ["two-dimensions", { training: "include", incomplete: "include", incorrect: "exclude_slates" }],
  ["approval", { screen: "training", approved: "midpoint", item_pattern: "^(.).*$" }],
  ["codec-preference", { incorrect: "exclude_raters", ties: { percent_chosen: "half" } }],
  [
    "codec-preference",
    { incomplete: "include", incorrect: "exclude_ratings", training: "include" },
  ],
];

test.each(everyNth(cases, 3))(
  "the scripts of a bundle give the numbers of %s without Recount, under %j",
  async (file, input) => {
    const folder = temporaryFolder();
    const zip = join(folder, "evidence.zip");
    const unpacked = join(folder, "unpacked");
    const lake = await goldenLake(file);
    const conventions = conventionsWith(input);
    const settings = { ...auditSettings, conventions, limits: { work: 0 } };
    const audited = await auditLake(lake, goldenProject, { ...settings, models: "audited" });
    const { warehouse } = audited;
    onTestFinished(() => warehouse.close());
    await writeBundle(zip, lake, audited, settings, () => Promise.resolve("<!doctype html>"));
    expect((await verifyBundle(zip)).problems).toEqual([]);
    await unpackZip(zip, unpacked);
    const scripts = await scriptsOf(audited, conventions);
    for (const name of readdirSync(join(unpacked, "queries")))
      expect(readFileSync(join(unpacked, "queries", name), "utf8")).toBe(
        scripts.get(`queries/${name}`),
      );
    const models = [...kinds.map((kind) => metricKind(kind).model), "int_comparisons"];
    await recomputeModels(warehouse, conventions, modelsBehind(await modelPlan(), models));
    let compared = 0;
    for (const kind of kinds) {
      const rows = await answerOf(unpacked, scripts.get(`queries/${kind}.sql`)!);
      const table = fitted.includes(kind) ? "int_comparisons" : metricKind(kind).model;
      expect(texts(rows).sort(), kind).toEqual(texts(await warehouse.all(`from ${table}`)).sort());
      compared += rows.length;
      if (kind !== "elo") continue;
      const own = await warehouse.all("from metric_elo where source = ''");
      const elo = eloOf(rows, conventions);
      expect(own.length).toBe(elo.size);
      // 1e-9: the same steps with other operations.
      for (const { dimension, item, value } of own)
        expect(elo.get(`${dimension as string} ${item as string}`)).toBeCloseTo(value as number, 9);
    }
    expect(compared).toBeGreaterThan(8);
  },
);

test("a bundle opens without Recount: README, report, CSV and scripts", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "evidence.zip");
  const unpacked = join(folder, "unpacked");
  const { stderr } = await recountHere([
    "audit",
    "--lake",
    await goldenLake("acr"),
    "--bundle",
    file,
  ]);
  expect(stderr).toBe("");
  expect(await recountHere(["verify", file])).toMatchObject({ code: 0, stderr: "" });
  const bytes = readFileSync(file);
  bytes[bytes.indexOf("PAR1") + 200]! ^= 1;
  writeFileSync(`${file}.changed`, bytes);
  expect(await recountHere(["verify", `${file}.changed`])).toMatchObject({ code: 3 });
  await unpackZip(file, unpacked);
  const read = (path: string) => readFileSync(join(unpacked, path), "utf8");
  const report = JSON.parse(read("audit.json")) as AuditReport;
  const [head, ...lines] = read("audit.csv").trimEnd().split("\r\n");
  expect(head).toMatch(/^experiment_id,experiment_name,published_in,kind,/);
  expect(lines.length).toBe(report.rows.length);
  const readme = read("README.txt");
  expect(
    readme.split("\n").findIndex((line) => line.startsWith("WHO CAN BE IDENTIFIED")),
  ).toBeLessThan(10);
  for (const named of [
    "report.html",
    "audit.csv",
    "bundle.json",
    "audit.json",
    "recount verify",
    "queries/",
  ])
    expect(readme).toContain(named);
  // The name is nobody's on the registry: who runs what has it there runs a stranger's code.
  expect(readme).not.toMatch(/npm i(nstall)? (-\S+ )*recount|npx (-\S+ )*recount/);
  expect(read("report.html")).toContain("<h2");
  expect(read("queries/stats.sql")).toContain(
    "-- Columns that bootstrap and critical_values would give are null.",
  );
  const [ratings] = await answerOf(
    unpacked,
    "select count(*) as n from 'lake/*/snapshots/*/**/ratings.parquet'",
  );
  expect(Number(ratings?.n)).toBeGreaterThan(9);
});
