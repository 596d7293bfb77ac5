import { readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openQueryable } from "../../src/pipeline/transform.js";
import { copyOf, goldenLake, goldenProject } from "../support/kept.js";

let lake: string;
beforeEach(async () => {
  lake = copyOf(await goldenLake("tiny-pairwise", "acr", "approval"));
});
afterEach(() => rmSync(lake, { recursive: true }));

const opened = async (sql?: string) =>
  (await openQueryable(lake, goldenProject, sql === undefined ? {} : { sql })).close();

test("a missing part is reported by queries that may read it, and by no other", async () => {
  const parts = readdirSync(lake, { recursive: true, encoding: "utf8" })
    .filter((path) => /experiment_id=\w+.ratings\.parquet$/.test(path))
    .map((path) => join(lake, path));
  const missing =
    /experiment_id=\w+[\\/]ratings\.parquet is not what the manifest lists: it is missing or not a regular file\. Run `recount verify`\.$/;
  expect(parts).toHaveLength(3);
  for (const part of parts) {
    renameSync(part, `${part}.away`);
    await opened("select 1");
    await opened("show tables");
    await expect(opened('select count(*) from "RATINGS"')).rejects.toThrow(missing);
    await expect(opened("from metric_mean")).rejects.toThrow(missing);
    await expect(opened()).rejects.toThrow(missing);
    renameSync(`${part}.away`, part);
  }
});

test("what a query does not name is listed with its columns, and refused instead of empty", async () => {
  const [some, all] = await Promise.all(
    ["select 1", undefined].map((sql) => openQueryable(lake, goldenProject, sql ? { sql } : {})),
  );
  const columns = "select table_name, column_name from information_schema.columns order by all";
  expect(await some!.all(columns)).toEqual(await all!.all(columns));
  await expect(some!.all("from query_table('ratings')")).rejects.toThrow(
    "The query failed: it reads ratings without naming it. Add a comment with the name: /* ratings */.",
  );
  await expect(some!.all("from metric_mean")).rejects.toThrow("it reads jobs without naming it");
  some!.close();
  all!.close();
});

test.each([
  "select count(*) as n from query_table('rat' || 'ings')",
  "select count(*) as n from query('from rat' || 'ings')",
  "from (select 1), query_table('metric_' || 'mean')",
  "from pragma_table_info('rat' || 'ings')",
])("a name that a query computes is found: %s", async (sql) => {
  const warehouse = await openQueryable(lake, goldenProject, { sql });
  const everything = await openQueryable(lake, goldenProject, {});
  const rows = await warehouse.all(sql);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual(await everything.all(sql));
  warehouse.close();
  everything.close();
});
