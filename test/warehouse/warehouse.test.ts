import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openWarehouse, readColumns } from "../../src/warehouse/index.js";

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

const nothing = (table: string): string =>
  Object.entries(readColumns[table] ?? {})
    .filter(([name]) => !["experiment_id", "score"].includes(name))
    .map(([name, type]) => `cast(null as ${type}) as ${name}`)
    .join(", ");

test("a table reads all its parts, with the partition's name as text and NULL for absent columns", async () => {
  const files = [
    await part("007", "1.5::double as score"),
    await part("8", "2::double as score, 'new' as extra"),
  ];
  const warehouse = await openWarehouse({
    sources: { ratings: { files, columns: { score: "DOUBLE" } } },
  });
  expect(
    await warehouse.all(
      "select experiment_id, score, extra, is_correct from ratings order by experiment_id",
    ),
  ).toEqual([
    { experiment_id: "007", score: 1.5, extra: null, is_correct: null },
    { experiment_id: "8", score: 2, extra: "new", is_correct: null },
  ]);
  warehouse.close();
});

test("a part that lacks a column which every part should have is refused, not read as NULL", async () => {
  const columns = { experiment_id: "VARCHAR", score: "DOUBLE" };
  const open = (files: readonly string[]) =>
    openWarehouse({ sources: { slate_ratings: { files, columns, isUniform: true } } });
  const whole = await part("7", `${nothing("slate_ratings")}, 1::double as score`);
  const lacking = await part("8", nothing("slate_ratings"));
  const warehouse = await open([whole]);
  expect(await warehouse.all("select experiment_id, score from slate_ratings")).toEqual([
    { experiment_id: "7", score: 1 },
  ]);
  warehouse.close();
  await expect(open([lacking, whole])).rejects.toThrow(/score.*Run `recount verify`/s);
  const later = await open([whole, lacking]);
  await expect(later.all("select experiment_id, score from slate_ratings")).rejects.toThrow(
    "score",
  );
  later.close();
});
