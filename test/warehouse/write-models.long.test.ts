import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWarehouse, recompute, writeModels, type Warehouse } from "../../src/warehouse/index.js";
import { writeScoredStudy, writeStudy } from "../../bench/metrics-data.js";
import { startEmulator } from "../../src/emulator/index.js";
import { openSnapshot } from "../../src/lake/index.js";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenFiles } from "../support/golden-case.js";
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

type Open = (threads: number) => Promise<Warehouse>;

/** The data of the golden cases, of the sample project and of the benchmarks. */
const data: Record<string, () => Promise<Open>> = {
  ...Object.fromEntries(
    goldenFiles.map((name) => [
      name,
      () => Promise.resolve((threads: number) => loadCase(`${name}.json`, { threads, order: "order by random()" })),
    ]),
  ),
  async sample() {
    const service = await startEmulator({});
    const lake = join(dir, "lake");
    const { manifest } = await exportTo(lake, service);
    await service.close();
    const { tables: sources } = await openSnapshot(lake, manifest.project_id);
    return (threads) => openWarehouse({ sources, threads });
  },
  async "50,000 comparisons"() {
    const sources = await writeStudy(join(dir, "study"), { comparisons: 50_000, items: 50 });
    return (threads) => openWarehouse({ sources, threads });
  },
  async "20,000 scores"() {
    const sources = await writeScoredStudy(join(dir, "study"), { scores: 20_000, items: 50 });
    return (threads) => openWarehouse({ sources, threads });
  },
};

test.each(Object.keys(data))("every model of %s has the same Parquet bytes with 1, 2 and 8 threads", async (name) => {
  const conventions = conventionsWith({ elo: { permutations: 5 }, bradley_terry: { rater_samples: 20 } });
  const open = await data[name]!();
  const write = async (threads: number) => {
    const warehouse = await open(threads);
    const models = await recompute(warehouse, conventions);
    const written = await writeModels(warehouse, models, join(dir, String(threads)), lakeTables);
    warehouse.close();
    return Promise.all(written.map(async ({ name: model, file }) => [model, await readFile(file)] as const));
  };
  const first = await write(1);
  expect(first.length).toBeGreaterThan(25);
  for (const threads of [2, 8])
    for (const [i, [model, bytes]] of (await write(threads)).entries())
      expect(bytes.equals(first[i]![1]), `${model} with ${threads} threads`).toBe(true);
});
