import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { auditOnce } from "../../src/audit/index.js";
import { locateKept } from "../../src/lake/index.js";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { openQueryable, transform } from "../../src/pipeline/transform.js";
import { digestOf } from "../../src/platform/index.js";
import { databaseName, groupFile, madeTables, noteTables } from "../../src/warehouse/index.js";
import { copyOf, goldenLake, goldenProject } from "../support/kept.js";
import { plainRows } from "../support/plain-duckdb.js";

const lake = copyOf(await goldenLake("tiny-pairwise"));
afterAll(() => rmSync(lake, { recursive: true }));

const sql = "select min(value)::integer as least from metric_elo";

const least = async (k?: number) => {
  const lines: string[] = [];
  const method = k === undefined ? {} : { conventions: conventionsWith({ elo: { k } }) };
  const warehouse = await openQueryable(lake, goldenProject, {
    sql,
    method,
    warn: (line) => lines.push(line),
  });
  const [row] = await warehouse.all(sql);
  warehouse.close();
  return { value: row?.least, lines };
};

const recomputed = async (isFull: boolean) => {
  const audited = await auditOnce(lake, goldenProject, { models: "audited", isFull });
  audited.close();
  return Math.min(
    ...audited.report.rows.flatMap((row) => (row.kind === "elo" ? [row.recomputed ?? 0] : [])),
  );
};

test("queries and audits read the tables that were written of equal data; other conventions and a full audit do not", async () => {
  const real = await least();
  const { dir } = await transform(lake, goldenProject);
  const kept = { folder: (await locateKept(lake, goldenProject)) ?? "" };
  const [made] = await madeTables(kept);
  const [group] = made?.groups ?? [];
  const file = join(dir, groupFile("metric_elo", group!));
  const bytes = readFileSync(file);

  const planted = `${file}.planted`;
  await plainRows(
    undefined,
    `copy (select * replace (-9 as value) from read_parquet('${file}')) to '${planted}' (format parquet)`,
    "select 1",
  );
  renameSync(planted, file);
  const { sha256 } = await digestOf(file);
  const files = group!.files.map((one) => (one.table === "metric_elo" ? { ...one, sha256 } : one));
  await noteTables(kept, { ...made!, groups: [{ ...group!, files }] });
  expect(await least()).toEqual({ value: -9, lines: [] });
  expect(await recomputed(false)).toBe(-9);
  expect(await recomputed(true)).toBeGreaterThan(0);
  expect((await least(16)).value).toBeGreaterThan(0);

  writeFileSync(file, bytes);
  expect(await least()).toEqual({
    ...real,
    lines: [`${file} has changed since it was written: recomputing it.`],
  });
});

test("an audit that is taken over is not made again for the data behind it", async () => {
  const options = { models: "audited" } as const;
  (await auditOnce(lake, goldenProject, options)).close();
  const audited = await auditOnce(lake, goldenProject, options);
  const data = await audited.open();
  expect(audited.isTaken).toBe(true);
  expect(data.report).toBe(audited.report);
  expect(await data.warehouse.all("from duckdb_tables()")).toEqual([]);
  await data.make(["leaderboard"]);
  expect(await data.warehouse.all("select count(*) > 0 as some from leaderboard")).toEqual([
    { some: true },
  ]);
  audited.close();
});

test("a pipe in the place of a kept file is made again, and nothing waits for it", async () => {
  const { dir } = await transform(lake, goldenProject);
  const folder = (await locateKept(lake, goldenProject)) ?? "";
  const [group] = (await madeTables({ folder }))[0]?.groups ?? [];
  const table = join(dir, groupFile("metric_elo", group!));
  // The copied lake may hold audits of other options, which this one has no reason to make again.
  for (const name of readdirSync(folder)) if (name.startsWith("audit-")) rmSync(join(folder, name));
  (await auditOnce(lake, goldenProject, { models: "audited" })).close();
  const kept = readdirSync(folder).filter((name) => /^(?:audit|tables)-/.test(name));
  expect(kept.length).toBeGreaterThan(1);
  const audited = kept.map((name) => join(folder, name));
  for (const file of [...audited, table, join(dir, databaseName)]) {
    rmSync(file, { force: true });
    execFileSync("mkfifo", [file]);
    (await auditOnce(lake, goldenProject, { models: "audited" })).close();
    await transform(lake, goldenProject);
    expect(statSync(file).isFile()).toBe(true);
  }
});
