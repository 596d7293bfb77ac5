import { readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { DuckDBInstance, type DuckDBConnection } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { transform } from "../../src/pipeline/index.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { leanConventions } from "../support/load-case.js";
import { read } from "../support/root.js";

const page = read("docs/how-to/recipes.md");
const recipes = [...page.matchAll(/^([^\n]+)\n\n```sql\n([\s\S]*?)```$/gm)].map(
  ([, question = "", sql = ""]) => ({
    question,
    sql,
  }),
);

describe("recount.duckdb", () => {
  const lake = temporaryLake();
  const moved = `${lake}-moved`;
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  let folder = "";
  let earlier = "";
  beforeAll(async () => {
    const service = await startEmulator({});
    const selection = { ids: ["Codecs16k"], names: [], types: [] };
    const { manifest } = await exportTo(lake, service, { selection });
    earlier = (
      await transform(lake, manifest.project_id, { conventions: leanConventions(), models: "all" })
    ).dir.replace(lake, moved);
    const scores = { kind: "raw_value", row: 0, field: "scores", text: "[]" } as const;
    service.faults.set([{ operation: "listResults", fault: scores }]);
    await exportTo(lake, service, { selection });
    await service.close();
    const { dir } = await transform(lake, manifest.project_id, {
      conventions: leanConventions(),
      models: "all",
    });
    renameSync(lake, moved);
    folder = dir.replace(lake, moved);
    instance = await DuckDBInstance.create(join(folder, "recount.duckdb"), {
      access_mode: "READ_ONLY",
    });
    connection = await instance.connect();
    await connection.run(`set variable folder = '${folder}'`);
  });
  afterAll(() => {
    connection.closeSync();
    instance.closeSync();
    rmSync(moved, { recursive: true });
  });
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowObjectsJson();

  it.each(recipes)("answers in at most three lines: $question", async ({ sql }) => {
    expect(sql.trim().split("\n").length).toBeLessThanOrEqual(3);
    const answer = await rows(sql.replace("../EARLIER", `${folder}/../${basename(earlier)}`));
    // Between the two only what is published changed.
    expect(answer.length > 0).toBe(!sql.includes("earlier.leaderboard"));
  });

  it("the database finds its snapshot where the lake is moved to", async () => {
    const [count] = await rows(
      "select count(*)::integer as n from ratings join raters on raters.experiment_id = ratings.experiment_id and raters.id = rater_id",
    );
    expect(count?.n).toBeGreaterThan(1000);
  });

  it("every table and column of recount.duckdb has a comment", async () => {
    const silent = await rows(`
      select table_name || '.' || column_name as name from duckdb_columns() where not internal and coalesce(comment, '') = ''
      union all select table_name from duckdb_tables() where not internal and coalesce(comment, '') = ''
      union all select view_name from duckdb_views() where not internal and coalesce(comment, '') = ''`);
    expect(silent).toEqual([]);
    const checks = await rows(
      "select distinct view_name as table_name from duckdb_views() where schema_name = 'checks' order by all",
    );
    // Those of rows ran before the snapshot was published.
    expect(checks.map((row) => row.table_name)).toEqual(
      ["elo_sum", "fits_converged", "item_pattern", "sums_finite", "wins_balance"].map(
        (name) => `assert_${name}`,
      ),
    );
  });

  it("every Parquet file beside it and of the lake says what its columns mean", async () => {
    const files = readdirSync(moved, { recursive: true, encoding: "utf8" }).filter((path) =>
      path.endsWith(".parquet"),
    );
    expect(files.length).toBeGreaterThan(50);
    for (const path of files) {
      const file = join(moved, path);
      const columns = await rows(
        `select column_name as name from (describe from read_parquet('${file}', hive_partitioning = false))`,
      );
      const [about] = await rows(
        `select decode(value) as json from parquet_kv_metadata('${file}') where decode(key) = 'recount.columns'`,
      );
      const { description, columns: said } = JSON.parse(about?.json as string) as {
        description: string;
        columns: Record<string, { meaning: string }>;
      };
      expect(description).toMatch(/\w{3}/);
      for (const { name } of columns)
        expect(said[name as string]?.meaning, `${path} ${name as string}`).toMatch(/\w{3}/);
    }
  });
});
