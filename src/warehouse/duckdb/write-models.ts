import { basename, dirname, join, relative } from "node:path";
import { fsp, makeDir } from "../../platform/index.js";
import { documentedTables, headerLine } from "../documented.js";
import type { Warehouse } from "../engine.js";
import { modelPlan, type Recomputed } from "../recompute.js";
import { textOf } from "../row.js";
import { quoted, text, viewOf, type TableSource } from "../source-views.js";

export interface WrittenModel {
  readonly name: string;
  readonly file: string;
  readonly rows: number;
  readonly bytes: number;
}

/** A table of recount.duckdb that no model makes. */
export interface WrittenTable {
  readonly name: string;
  readonly description: string;
  /** Descriptions of columns, by name. */
  readonly columns: Readonly<Record<string, string>>;
  /** Its Parquet files, which the database reads where they are; if absent, the warehouse has the table. */
  readonly source?: TableSource;
}

/** Staging only renames what the lake holds, and keys and fits refer to items by number: none of them is written. */
const written = ["intermediate/int_", "metrics/metric_", "audit/audit_"];

const database = "export_database";

/**
 * Writes the model tables as `<dir>/<model>.parquet`, and recount.duckdb with these, the views of sql/, the checks in a
 * schema of their own, and `tables`. Rows are sorted, so the same data give the same Parquet bytes. The new folder
 * replaces the old one only when it is complete.
 */
export async function writeModels(
  warehouse: Warehouse,
  { models }: Pick<Recomputed, "models">,
  dir: string,
  tables: readonly WrittenTable[] = [],
): Promise<WrittenModel[]> {
  const staged = join(dirname(dir), `.${basename(dir)}.tmp`);
  await fsp.rm(staged, { recursive: true, force: true });
  await makeDir(staged);
  try {
    await warehouse.all(`attach ${text(join(staged, "recount.duckdb"))} as ${database}`);
    const done = await writeParquet(warehouse, models, staged);
    await copyModels(warehouse, models);
    for (const table of tables) await addTable(warehouse, table, staged);
    await describe(warehouse, models, tables);
    await warehouse.all(`detach ${database}`);
    await fsp.rm(dir, { recursive: true, force: true });
    await fsp.rename(staged, dir);
    return done.map((model) => ({ ...model, file: join(dir, basename(model.file)) }));
  } catch (error) {
    await warehouse.all(`detach database if exists ${database}`).catch(() => undefined);
    await fsp.rm(staged, { recursive: true, force: true });
    throw error;
  }
}

type Models = Recomputed["models"];

const inLayer = (layer: string, models: Models) => models.filter(({ file }) => file.startsWith(`${layer}/`));
const storedOf = (models: Models) =>
  models.filter(({ stored, file }) => stored !== "view" && written.some((start) => file.startsWith(start)));

async function writeParquet(warehouse: Warehouse, models: Models, dir: string): Promise<WrittenModel[]> {
  const done: WrittenModel[] = [];
  for (const { name } of storedOf(models)) {
    const file = join(dir, `${name}.parquet`);
    // Sorted once: the engine keeps the order of the table's rows in the file.
    const table = `${database}.main.${quoted(name)}`;
    await warehouse.all(`create table ${table} as from memory.${quoted(name)} order by all`);
    const [row] = await warehouse.all(`copy ${table} to ${text(file)} (format parquet, compression zstd)`);
    done.push({ name, file, rows: Number(row?.Count ?? 0), bytes: (await fsp.stat(file)).size });
  }
  return done;
}

/** Copies the views, which Parquet files would only repeat, and the checks. */
async function copyModels(warehouse: Warehouse, models: Models): Promise<void> {
  await warehouse.all(`create schema ${database}.checks`);
  for (const [schema, layer] of [
    ["main", "views"],
    ["checks", "checks"],
  ] as const)
    for (const { name } of inLayer(layer, models))
      await warehouse.all(
        `create table ${database}.${schema}.${quoted(name)} as from memory.${quoted(name)} order by all`,
      );
}

async function addTable(warehouse: Warehouse, { name, source }: WrittenTable, dir: string): Promise<void> {
  const own = `${database}.main.${quoted(name)}`;
  if (source === undefined) {
    await warehouse.all(`create table ${own} as from memory.${quoted(name)}`);
    return;
  }
  // Files are named from the database's folder, in which the engine finds them while the view is made.
  const files = source.files.map((file) => relative(dir, file).replaceAll("\\", "/"));
  await warehouse.all(`set file_search_path = ${text(dir)}`);
  try {
    await warehouse.all(`create view ${own} as ${viewOf({ ...source, files })}`);
  } finally {
    await warehouse.all("reset file_search_path");
  }
}

/** Comments on every table and column of the database. */
async function describe(warehouse: Warehouse, models: Models, tables: readonly WrittenTable[]): Promise<void> {
  const plan = await modelPlan();
  const comments = plan
    .filter(
      ({ name, stored, layer }) => models.some((one) => one.name === name) && (stored === "table" || layer === "views"),
    )
    .flatMap((model) =>
      [...documentedTables(model)].map(([name, columns]): [string, string, string, Record<string, string>] => [
        model.layer === "checks" ? "checks" : "main",
        name,
        `One row: ${headerLine(model.sql, "grain")}`,
        Object.fromEntries(columns.map((column) => [column.name, sentenceOf(column)])),
      ]),
    );
  comments.push(...tables.map((one): (typeof comments)[number] => ["main", one.name, one.description, one.columns]));
  const made = await warehouse.all(
    `select schema_name as schema, table_name as name, 'table' as kind from duckdb_tables() where database_name = '${database}'
    union all select schema_name, view_name, 'view' from duckdb_views() where database_name = '${database}' and not internal`,
  );
  const statements = comments.flatMap(([schema, name, description, columns]) => {
    const found = made.find((one) => one.schema === schema && one.name === name);
    if (found === undefined) return [];
    const table = `${database}.${schema}.${quoted(name)}`;
    return [
      `comment on ${textOf(found, "kind")} ${table} is ${text(description)}`,
      ...Object.entries(columns).map(
        ([column, meaning]) => `comment on column ${table}.${quoted(column)} is ${text(meaning)}`,
      ),
    ];
  });
  await warehouse.all(statements.join(";\n"));
}

/** A column's documentation in one line. */
function sentenceOf({ meaning, unit, nulls }: { meaning: string; unit: string; nulls: string }): string {
  return `${meaning}${unit === "" ? "" : ` (${unit})`}${nulls === "" ? "" : `. null: ${nulls}`}`;
}
