import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { recompute, writeModels } from "../../src/warehouse/index.js";
import { loadCase } from "../support/load-case.js";

let dir: string;
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), "recount-models-"))));
afterEach(() => rm(dir, { recursive: true }));

test("model tables are plain Parquet and one DuckDB file, the same bytes each time", async () => {
  const write = async (to: string): Promise<Awaited<ReturnType<typeof writeModels>>> => {
    const warehouse = await loadCase("tiny-pairwise.json");
    const written = await writeModels(warehouse, await recompute(warehouse, defaultConventions), to);
    warehouse.close();
    return written;
  };
  const first = await write(join(dir, "one"));
  const second = await write(join(dir, "two"));
  expect(first.map(({ name }) => name)).toContain("metric_bayesian_elo");
  for (const [i, { file }] of first.entries()) {
    expect(await readFile(file)).toEqual(await readFile(second[i]?.file ?? ""));
  }
  const instance = await DuckDBInstance.create(join(dir, "one", "recount.duckdb"));
  const connection = await instance.connect();
  const read = async (from: string): Promise<unknown> =>
    (await connection.runAndReadAll(`select item, value from ${from} where source = '' order by item`)).getRowsJS();
  expect(await read("metric_elo")).toHaveLength(3);
  expect(await read("metric_elo")).toEqual(await read(`'${join(dir, "one", "metric_elo.parquet")}'`));
  connection.closeSync();
  instance.closeSync();
});
