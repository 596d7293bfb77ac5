import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recompute, writeModels } from "../../src/warehouse/index.js";
import { leanConventions, loadCase } from "../support/load-case.js";

const lakeTables = ["experiments", "sessions", "slates"].map((name) => ({ name, description: "", columns: {} }));

let dir: string;
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), "recount-models-"))));
afterEach(() => rm(dir, { recursive: true }));

test("model tables are Parquet, the same bytes with 1, 2 and 8 threads and any order of rows, and one DuckDB file", async () => {
  const write = async (threads: number, order = ""): Promise<Awaited<ReturnType<typeof writeModels>>> => {
    const warehouse = await loadCase("codec-preference.json", { threads, order });
    const models = await recompute(warehouse, leanConventions());
    const written = await writeModels(warehouse, models, join(dir, String(threads)), lakeTables);
    warehouse.close();
    return written;
  };
  const first = await write(1);
  const others = [await write(2, "order by random()"), await write(8, "order by random()")];
  expect(first.map(({ name }) => name)).toEqual(expect.arrayContaining(["metric_bayesian_elo", "int_slates"]));
  for (const other of others)
    for (const [i, { name, file }] of first.entries())
      expect((await readFile(file)).equals(await readFile(other[i]?.file ?? "")), name).toBe(true);
  const instance = await DuckDBInstance.create(join(dir, "1", "recount.duckdb"));
  const connection = await instance.connect();
  const read = async (from: string): Promise<unknown> =>
    (await connection.runAndReadAll(`select item, value from ${from} where source = '' order by item`)).getRowsJS();
  expect(await read("metric_elo")).toHaveLength(8);
  expect(await read("metric_elo")).toEqual(await read(`'${join(dir, "1", "metric_elo.parquet")}'`));
  connection.closeSync();
  instance.closeSync();
});
