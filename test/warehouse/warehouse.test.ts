import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWarehouse } from "../../src/warehouse/index.js";

let dir: string;
beforeEach(async () => void (dir = await mkdtemp(join(tmpdir(), "recount-warehouse-"))));
afterEach(() => rm(dir, { recursive: true }));

async function part(experiment: string, select: string): Promise<string> {
  const folder = join(dir, "ratings");
  const writer = await openWarehouse({ sources: {} });
  const file = join(folder, `experiment_id=${experiment}`, "data_0.parquet");
  await writer.all(`copy (select '${experiment}' as experiment_id, ${select})
    to '${folder}' (format parquet, partition_by (experiment_id), overwrite_or_ignore)`);
  writer.close();
  return file;
}

test("a table reads all its parts, with the partition's name as text and NULL for absent columns", async () => {
  const files = [await part("007", "1.5::double as score"), await part("8", "2::double as score, 'new' as extra")];
  const warehouse = await openWarehouse({ sources: { ratings: { files, columns: { score: "DOUBLE" } } } });
  expect(
    await warehouse.all("select experiment_id, score, extra, is_correct from ratings order by experiment_id"),
  ).toEqual([
    { experiment_id: "007", score: 1.5, extra: null, is_correct: null },
    { experiment_id: "8", score: 2, extra: "new", is_correct: null },
  ]);
  warehouse.close();
});

test("a table without files exists, empty, with its columns", async () => {
  const warehouse = await openWarehouse({ sources: { webhooks: { files: [], columns: { id: "VARCHAR" } } } });
  expect(await warehouse.all("select id from webhooks")).toEqual([]);
  warehouse.close();
});

test("rows are plain, integers exact, instants in UTC", async () => {
  const warehouse = await openWarehouse({ sources: {} });
  const [row] = await warehouse.all(
    "select 9007199254740993 as big, 42::bigint as small, timestamptz '2026-03-01 12:00:00+02' as at, [1, null] as list",
  );
  expect(row).toEqual({ big: 9007199254740993n, small: 42, at: "2026-03-01T10:00:00.000Z", list: [1, null] });
  warehouse.close();
});

test("a rejected query fails with the engine's message", async () => {
  const warehouse = await openWarehouse({ sources: {} });
  await expect(warehouse.all("select nothing_there from ratings")).rejects.toThrow(
    /^The query failed: Binder Error: Referenced column "nothing_there"/,
  );
  warehouse.close();
});
