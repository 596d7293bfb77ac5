import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Conventions, conventionsWith } from "../../src/metrics/index.js";
import {
  groupFile,
  modelsOfChoice,
  modelsOnDemand,
  openWarehouse,
  readColumns,
  writeDatabase,
  writeTables,
  type Warehouse,
} from "../../src/warehouse/index.js";
import { writeScoredStudy, writeStudy } from "../../bench/metrics-data.js";
import { startEmulator } from "../../src/emulator/index.js";
import { readSnapshot } from "../../src/lake/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenFiles } from "../support/golden-case.js";
import { leanConventions, loadCase } from "../support/load-case.js";

let dir: string;
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), "recount-models-"))));
afterEach(() => rm(dir, { recursive: true }));

async function written(warehouse: Warehouse, conventions: Conventions, to: string) {
  const { written: models, shown } = await modelsOfChoice(conventions, "all", false);
  const make = await modelsOnDemand(warehouse, conventions);
  await warehouse.setConventions(conventions);
  await make(models.map(({ name }) => name));
  const group = { key: "key", experiments: [] };
  await writeTables(warehouse, models, [group], to);
  const content = { conventions, written: models, shown, groups: [group], tables: [] };
  const files = models.map(async ({ name }) => {
    const bytes = await readFile(join(to, groupFile(name, group)));
    return [name, bytes.toString("latin1")] as const;
  });
  return { content, bytes: new Map(await Promise.all(files)) };
}

test("model tables are Parquet, the same bytes with 1, 2 and 8 threads and any order of rows, and views of one DuckDB file", async () => {
  const write = async (threads: number, order = "") => {
    const warehouse = await loadCase("codec-preference.json", { threads, order });
    const to = join(dir, "models", String(threads));
    const { content, bytes } = await written(warehouse, leanConventions(), to);
    const lake = [];
    for (const [name, columns] of Object.entries(readColumns)) {
      const file = join(to, `${name}.parquet`);
      await warehouse.all(`copy ${name} to '${file}'`);
      lake.push({ name, description: "", columns: {}, source: { files: [file], columns } });
    }
    await writeDatabase(warehouse, { ...content, tables: lake }, to, to);
    warehouse.close();
    return bytes;
  };
  const first = await write(1);
  expect([...first.keys()]).toEqual(
    expect.arrayContaining(["metric_bayesian_elo", "int_slates", "elo_history", "leaderboard"]),
  );
  expect(await write(2, "order by random()")).toEqual(first);
  expect(await write(8, "order by random()")).toEqual(first);
  const instance = await DuckDBInstance.create(join(dir, "models", "1", "recount.duckdb"));
  const connection = await instance.connect();
  const read = async (from: string): Promise<unknown> =>
    (
      await connection.runAndReadAll(
        `select item, value from ${from} where source = '' order by item`,
      )
    ).getRowsJS();
  expect(await read("metric_elo")).toHaveLength(8);
  expect(await read("metric_elo")).toEqual(
    await read(`'${join(dir, "models", "1", "metric_elo", "key.parquet")}'`),
  );
  // What is not written is computed from the lake when it is read.
  const pairs = await connection.runAndReadAll(
    "select count(*)::integer from comparisons union all select sum(wins_a + wins_b + ties)::integer from int_pair_counts where source = ''",
  );
  const [[compared] = [], [counted] = []] = pairs.getRowsJS();
  expect(compared).toBeGreaterThan(100);
  expect(compared).toBe(counted);
  connection.closeSync();
  instance.closeSync();
});

type Open = (threads: number) => Promise<Warehouse>;

const data: Record<string, () => Promise<Open>> = {
  ...Object.fromEntries(
    goldenFiles.map((name) => [
      name,
      () =>
        Promise.resolve((threads: number) =>
          loadCase(`${name}.json`, { threads, order: "order by random()" }),
        ),
    ]),
  ),
  async sample() {
    const service = await startEmulator({});
    const lake = join(dir, "lake");
    const { manifest } = await exportTo(lake, service);
    await service.close();
    const { tables: sources } = await readSnapshot(lake, manifest.project_id);
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

test.each(Object.keys(data))(
  "every model of %s has the same Parquet bytes with 1, 2 and 8 threads",
  async (name) => {
    const conventions = conventionsWith({
      elo: { permutations: 5 },
      bradley_terry: { rater_samples: 20 },
    });
    const open = await data[name]!();
    const write = async (threads: number) => {
      const warehouse = await open(threads);
      const { bytes } = await written(warehouse, conventions, join(dir, String(threads)));
      warehouse.close();
      return bytes;
    };
    const first = await write(1);
    expect(first.size).toBeGreaterThan(25);
    for (const threads of [2, 8])
      for (const [model, bytes] of await write(threads))
        expect(bytes === first.get(model), `${model} with ${threads} threads`).toBe(true);
  },
);
