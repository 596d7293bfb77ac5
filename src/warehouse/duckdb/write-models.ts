import { basename, dirname, join } from "node:path";
import { makeDir, fsp } from "../../platform/index.js";
import { quoted, text } from "../source-views.js";
import type { Recomputed } from "../recompute.js";
import type { Warehouse } from "../engine.js";

export interface WrittenModel {
  readonly name: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
}

/** Staging only renames what the lake holds, and keys and fits refer to items by number: none of them is written. */
const written = ["intermediate/int_", "metrics/metric_", "audit/audit_"];

/**
 * Writes the model tables as `<dir>/<model>.parquet`, and all of them as `<dir>/recount.duckdb`. Rows are sorted, so
 * the same data give the same Parquet bytes. The new folder replaces the old one only when it is complete.
 */
export async function writeModels(
  warehouse: Warehouse,
  { models }: Pick<Recomputed, "models">,
  dir: string,
): Promise<WrittenModel[]> {
  const staged = join(dirname(dir), `.${basename(dir)}.tmp`);
  const tables = models.filter(
    ({ stored, file }) => stored !== "view" && written.some((start) => file.startsWith(start)),
  );
  await fsp.rm(staged, { recursive: true, force: true });
  await makeDir(staged);
  try {
    const done = await writeInto(warehouse, tables, staged);
    await fsp.rm(dir, { recursive: true, force: true });
    await fsp.rename(staged, dir);
    return done.map((model) => ({ ...model, file: join(dir, basename(model.file)) }));
  } catch (error) {
    await warehouse.all("detach database if exists export_database").catch(() => undefined);
    await fsp.rm(staged, { recursive: true, force: true });
    throw error;
  }
}

async function writeInto(warehouse: Warehouse, tables: Recomputed["models"], dir: string): Promise<WrittenModel[]> {
  await warehouse.all(`attach ${text(join(dir, "recount.duckdb"))} as export_database`);
  const done: WrittenModel[] = [];
  for (const { name } of tables) {
    const file = join(dir, `${name}.parquet`);
    // Sorted once: the engine keeps the order of the table's rows in the file.
    const table = `export_database.${quoted(name)}`;
    await warehouse.all(`create table ${table} as from ${quoted(name)} order by all`);
    const [row] = await warehouse.all(`copy ${table} to ${text(file)} (format parquet, compression zstd)`);
    done.push({ name, file, rows: Number(row?.Count ?? 0), bytes: (await fsp.stat(file)).size });
  }
  await warehouse.all("detach export_database");
  return done;
}
