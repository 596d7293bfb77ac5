import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openQueryable } from "../../src/pipeline/transform.js";
import { QueryError } from "../../src/platform/index.js";
import { openWarehouse, type Warehouse } from "../../src/warehouse/index.js";
import { folderOfTests } from "../support/folder.js";
import { goldenLake, goldenProject } from "../support/kept.js";

const dir = folderOfTests("recount-confine");
const lake = join(dir, "lake");
const part = join(lake, "part.parquet");
const out = join(dir, "out.csv");
const outside = join(dir, "outside.csv");
const logged = `storage = ''file'', storage_path = ''${dir}/log''`;
let warehouse: Warehouse;
let opened: Warehouse;

beforeAll(async () => {
  mkdirSync(lake);
  writeFileSync(outside, "secret\n1\n");
  const writer = await openWarehouse({ sources: {} });
  await writer.all(`copy (select range as score from range(10)) to '${part}' (format parquet)`);
  writer.close();
  warehouse = await openWarehouse({
    sources: { scores: { files: [part], columns: { score: "BIGINT" } } },
  });
  await warehouse.all("create table models as select 1 as elo");
  await warehouse.confine([part, out]);
  opened = await openQueryable(await goldenLake("acr"), goldenProject, { writes: [out] });
});
afterAll(() => {
  warehouse.close();
  opened.close();
});

const listing = () => readdirSync(dir, { recursive: true, encoding: "utf8" }).sort();

describe("a confined engine", () => {
  it.each([
    ["a file of passwords", "from read_csv('/etc/passwd')"],
    ["a file by its name alone", `from '${outside}'`],
    ["a file through the lake's folder", `from read_text('${lake}/../outside.csv')`],
    ["a device", "from read_blob('/dev/zero')"],
    ["the shape of a file", `from sniff_csv('${outside}')`],
    ["an address", "from read_csv('https://127.0.0.1:1/x.csv')"],
    ["a list of files", "from glob('/etc/*')"],
    ["a list of the lake's files", `from glob('${lake}/*')`],
    ["the environment", "select getenv('HOME')"],
    ["COPY to a file", `copy scores to '${dir}/x.csv'`],
    ["COPY into the lake", `copy scores to '${lake}/x.parquet' (format parquet)`],
    ["COPY over a part", `copy (select 1) to '${lake}/part.parquet' (format parquet)`],
    ["COPY under EXPLAIN ANALYZE", `explain analyze copy (select 1) to '${lake}/x.csv'`],
    [
      "COPY under EXPLAIN with options",
      `explain (analyze, format json) copy (select 1) to '${lake}/x.csv'`,
    ],
    ["COPY as a prepared statement", `prepare x as copy (select 1) to '${lake}/x.csv'; execute x`],
    ["COPY after a query", `select 1; copy (select 1) to '${lake}/x.csv'`],
    ["COPY from a file", `create table x (y varchar); copy x from '${outside}'`],
    ["ATTACH", `attach '${dir}/x.db' as x`],
    ["ATTACH in memory", "attach ':memory:' as x"],
    ["EXPORT DATABASE", `export database '${lake}/x'`],
    ["IMPORT DATABASE", `import database '${lake}/x'`],
    ["INSTALL", "install httpfs"],
    ["LOAD", "load httpfs"],
    ["a secret that is stored", "create persistent secret s (type s3)"],
    ["a setting", "set threads = 1"],
    ["SET against the confinement", "set enable_external_access = true"],
    ["RESET against the confinement", "reset enable_external_access"],
    ["SET of the folders", "set allowed_directories = ['/']"],
    ["SET against the lock", "set lock_configuration = false"],
    ["PRAGMA", "pragma enable_profiling"],
    ["PRAGMA with a file", `pragma profiling_output = '${dir}/x.json'`],
    ["CALL", `call enable_logging(storage = 'file', storage_path = '${dir}/log')`],
    ["a log as a table", `from enable_logging(storage = 'file', storage_path = '${dir}/log')`],
    [
      "a log by a computed text",
      `select '--', * from query('from enable' || '_logging(${logged})')`,
    ],
    ["a log in a schema", `from system.main."ENABLE_LOGGING"(storage = 'stdout')`],
    ["a log in a subquery", "select (select count(*) from enable_logging()) from scores"],
    ["a log for a variable", "set variable x = (select count(*) from enable_logging())"],
    ["a log for a type", "create type e as enum (select 'a' from enable_logging())"],
    ["a log for a table", "create table x as from enable_logging()"],
    ["a log through a view", `create view x as from enable_logging(); drop view x`],
    ["a log through a macro", `create macro x() as (select count(*) from enable_logging())`],
    [
      "a log through a macro that computes it",
      `create macro x() as table from query('from enable' || '_logging()')`,
    ],
    [
      "a log for the columns of a pivot",
      "pivot scores on score in (select 1 from enable_logging())",
    ],
    ["a log under a pivot", `pivot (select 1 as x from query('from enable' || '_logging()')) on x`],
    [
      "a log in a plan",
      "from json_execute_serialized_sql(json_serialize_sql('from enable_logging()'))",
    ],
    ["a profile", "from enable_profiling(format = 'query_tree')"],
    [
      "a profile in a file",
      `from enable_profiling(format = 'json', save_location = '${dir}/profile')`,
    ],
  ])("refuses %s in one line, and changes no file", async (_, sql) => {
    const before = listing();
    for (const engine of [warehouse, opened])
      for (const run of [() => engine.all(sql), () => engine.writeQuery(sql, "csv", out)]) {
        const error: unknown = await run().catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(QueryError);
        expect(error).toMatchObject({
          exitCode: 4,
          message: expect.not.stringContaining("\n") as string,
        });
      }
    expect(listing()).toEqual(before);
    expect(
      await warehouse.all("select value from duckdb_settings() where name = 'enable_logging'"),
    ).toEqual([{ value: "0" }]);
    expect(await warehouse.all("select count(*) as n from scores")).toEqual([{ n: 10 }]);
  });

  it.each(["select 1) to 'x.csv'; copy (select 2", "select 1) to 'x.csv' --", "select 1 /*"])(
    "does not write a text that ends the statement around it: %s",
    async (sql) => {
      await expect(warehouse.writeQuery(sql, "csv", out)).rejects.toThrow(
        /^The query failed: Parser Error: [^\n]*$/,
      );
    },
  );

  it.each([
    ["a model", "select elo from models", [{ elo: 1 }]],
    [
      "a view of its own",
      "create view small as from scores where score < 1; from small",
      [{ score: 0 }],
    ],
    [
      "a temporary table",
      "create temp table two as from scores limit 2; select count(*) as n from two",
      [{ n: 2 }],
    ],
    [
      "a change of its own table",
      "create table t (x int); insert into t values (1); from t",
      [{ x: 1 }],
    ],
    ["a macro", "create macro twice(x) as 2 * x; select twice(4) as y", [{ y: 8 }]],
    [
      "a variable",
      "set variable least = 9; from scores where score >= getvariable('least')",
      [{ score: 9 }],
    ],
    ["a pivot", "pivot (select 7 as score) on score using count(*)", [{ "7": 1 }]],
    ["the part itself", `select count(*) as n from read_parquet('${part}')`, [{ n: 10 }]],
    ["a comment at the end", "select 1 as x -- one", [{ x: 1 }]],
    [
      "a semicolon in a comment and in a text",
      "create table u as select ';' as x; -- one; two\nfrom u",
      [{ x: ";" }],
    ],
    ["a comment on a table", "create table w (x int); comment on table w is 'enabled'; from w", []],
    ["a text that is computed", "from query('select 1' || '2 as x')", [{ x: 12 }]],
    ["a word in a text", "select 'enable_logging()' as x", [{ x: "enable_logging()" }]],
    [
      "a pivot over a view of its own",
      "create view y as from scores limit 1; pivot y on score using count(*)",
      [{ "0": 1 }],
    ],
  ])("runs %s", async (_, sql, rows) => {
    expect(await warehouse.all(sql)).toEqual(rows);
  });

  it("lists, describes and explains", async () => {
    expect(await warehouse.all("show tables")).toContainEqual({ name: "models" });
    expect(await warehouse.all("describe models")).toMatchObject([{ column_name: "elo" }]);
    expect(await warehouse.all("explain from models")).toHaveLength(1);
  });

  it.each([
    ["from models -- done;\n;", "elo\n1\n"],
    ["pivot (select 7 as score) on score using count(*)", "7\n1\n"],
    ["select column_name from (describe models)", "column_name\nelo\n"],
    ["summarize models", "column_name"],
  ])("writes the file that it may write: %s", async (sql, start) => {
    await warehouse.writeQuery(sql, "csv", out);
    expect(readFileSync(out, "utf8").slice(0, start.length)).toBe(start);
  });
});
