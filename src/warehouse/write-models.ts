import { join } from "node:path";
import { makeDir, fsp } from "../files.js";
import { quoted, text } from "./source-views.js";
import type { Recomputed } from "./recompute.js";
import type { Warehouse } from "./warehouse.js";

export interface WrittenModel {
  readonly name: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
}

/** What people read: staging only renames what the lake holds, and fits speak of groups and items by number. */
const written = ["intermediate/int_", "metrics/metric_", "audit/audit_"];

/**
 * Writes the model tables as `<dir>/<model>.parquet`, and all of them as `<dir>/recount.duckdb`.
 * Rows are sorted, so that the same data give the same Parquet bytes.
 */
export async function writeModels(warehouse: Warehouse, { models }: Recomputed, dir: string): Promise<WrittenModel[]> {
  await makeDir(dir);
  const database = join(dir, "recount.duckdb");
  await fsp.rm(database, { force: true });
  await warehouse.all(`attach ${text(database)} as export_database`);
  const done: WrittenModel[] = [];
  try {
    for (const { name } of tablesOf(models)) {
      const path = join(dir, `${name}.parquet`);
      const [row] = await warehouse.all(
        `copy (select * from ${quoted(name)} order by all) to ${text(path)} (format parquet, compression zstd)`,
      );
      await warehouse.all(`create table export_database.${quoted(name)} as from ${quoted(name)} order by all`);
      done.push({ name, file: path, rows: Number(row?.["Count"] ?? 0), bytes: (await fsp.stat(path)).size });
    }
  } finally {
    await warehouse.all("detach export_database");
  }
  return done;
}

function tablesOf(models: Recomputed["models"]): { name: string; file: string }[] {
  return models.filter(({ stored, file }) => stored !== "view" && written.some((start) => file.startsWith(start)));
}
