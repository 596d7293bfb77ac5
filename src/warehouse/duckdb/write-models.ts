import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { attach, copyTo, type EngineFiles, enginePath, isObject } from "../../objects/index.js";
import { codeOf, exists, fsp, makeDir, nameOfThisProcess, removeLeftovers } from "../../platform/index.js";
import { textOf, type Warehouse } from "../engine.js";
import { documentedTables, headerLine, isInternal, type Model } from "../models.js";
import { parquetFormat, quoted, type TableSource, text, viewOf } from "../parquet.js";
import { tablesOf } from "../plan.js";
import { modelPlan, type Recomputed } from "../recompute.js";

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

/** Staging only renames what the lake holds, and keys and fits refer to items by number: no Parquet is written of them. */
const written = ["intermediate/int_", "metrics/metric_", "audit/audit_", "statistics/"];

const database = "export_database";

/**
 * Writes the model tables as `<dir>/<model>.parquet`, and recount.duckdb with these, the models of sql/views, and `tables`;
 * the checks and the models behind others are in schemas of their own. Rows are sorted, so the same data give the same Parquet bytes. The new folder
 * replaces the old one only when it is complete.
 */
export async function writeModels(
  warehouse: Warehouse,
  { models }: Pick<Recomputed, "models">,
  dir: string,
  tables: readonly WrittenTable[] = [],
): Promise<WrittenModel[]> {
  const made = new Set(models.map(({ name }) => name));
  const plan = (await modelPlan()).filter(({ name }) => made.has(name));
  // A folder of its own: another process may write the models of the same snapshot.
  const prefix = `.${basename(dir)}.tmp-`;
  const staged = join(dirname(dir), prefix + nameOfThisProcess());
  await makeDir(staged);
  removeLeftovers(dirname(dir), prefix);
  try {
    await warehouse.all(attach(join(staged, "recount.duckdb"), database));
    await warehouse.all(`set variable folder = ${text(enginePath(staged))}`);
    for (const table of tables) await addTable(warehouse, table, dir);
    const done = await writeAll(warehouse, plan, staged);
    await describe(warehouse, plan, tables);
    await warehouse.all(`detach ${database}`);
    await replaceFolder(dir, staged);
    return done.map((model) => ({ ...model, file: join(dir, basename(model.file)) }));
  } catch (error) {
    await warehouse.all(`detach database if exists ${database}`).catch(() => undefined);
    await fsp.rm(staged, { recursive: true, force: true });
    throw error;
  }
}

/** Puts a table of the warehouse into a recount.duckdb that is written. */
export async function addToDatabase(warehouse: Warehouse, file: string, table: WrittenTable): Promise<void> {
  await warehouse.all(attach(file, database));
  await addTable(warehouse, table, dirname(file));
  await describe(warehouse, [], [table]);
  await warehouse.all(`detach ${database}`);
}

/** Takes a table of a recount.duckdb into the warehouse, if that is there and can be read. */
export async function takeFromDatabase(warehouse: Warehouse, file: string, name: string): Promise<boolean> {
  if (isObject(file) || !(await exists(file))) return false;
  try {
    await warehouse.all(`${attach(file, database)} (read_only)`);
    await warehouse.all(`create or replace table memory.${quoted(name)} as from ${database}.main.${quoted(name)}`);
    return true;
  } catch {
    return false;
  } finally {
    await warehouse.all(`detach database if exists ${database}`);
  }
}

/** Replaces a folder with another, also while others do: the last one stays. */
async function replaceFolder(dir: string, staged: string): Promise<void> {
  for (;;) {
    await fsp.rm(dir, { recursive: true, force: true });
    try {
      await fsp.rename(staged, dir);
      return;
    } catch (error) {
      if (!["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) throw error;
    }
  }
}

const schemas = ["checks", "internal"];
const schemaOf = ({ layer, name }: Model): string =>
  layer === "checks" ? "checks" : isInternal(name) ? "internal" : "main";
/** Whether a model is for people: neither the input of a kernel nor its output. */
const isShown = ({ name, kernel }: Model): boolean => kernel === null && !name.startsWith("key_");
const isParquet = (model: Model): boolean =>
  isShown(model) &&
  written.some((start) => model.file.startsWith(start)) &&
  (model.stored === "table" || model.sortedBy !== null);
/** Views stay views, over tables by number: the engine takes ten times as long to compress names. */
const isStored = ({ stored }: Model): boolean => stored === "table";

/** The columns of a model's table are described in its file. */
function formatOf(model: Model, table: string): string {
  const columns = documentedTables(model).get(table) ?? [];
  const about = Object.fromEntries(columns.map(({ name, ...meaning }) => [name, meaning]));
  return parquetFormat(`One row: ${headerLine(model.sql, "grain")}`, about);
}

interface ModelTable {
  readonly table: string;
  readonly model: Model;
}

async function writeAll(warehouse: Warehouse, plan: readonly Model[], dir: string): Promise<WrittenModel[]> {
  const done: WrittenModel[] = [];
  for (const schema of schemas) await warehouse.all(`create schema ${database}.${schema}`);
  for (const { table, model } of entriesOf(plan)) {
    await warehouse.release();
    const own = `${database}.${schemaOf(model)}.${quoted(table)}`;
    const source = `memory.${quoted(table)}`;
    // A kernel's rows are in order.
    const order = model.kernel === null ? "order by all" : "";
    if (isStored(model)) await warehouse.all(`create table ${own} as from ${source} ${order}`);
    else await addView(warehouse, own, overInternals(model));
    if (!isParquet(model)) continue;
    const file = join(dir, `${table}.parquet`);
    // Sorted once: the engine keeps the order of a table's rows in the file.
    const rows = model.sortedBy === null ? own : `(from ${source} order by ${model.sortedBy})`;
    const [row] = await warehouse.all(copyTo(rows, file, formatOf(model, table)));
    done.push({ name: table, file, rows: Number(row?.Count ?? 0), bytes: (await fsp.stat(file)).size });
  }
  return done;
}

/** The tables for people, and what those that remain views read, in running order. */
function entriesOf(plan: readonly Model[]): ModelTable[] {
  const entries = plan.flatMap((model) => tablesOf(model).map((table) => ({ table, model })));
  const kept = new Set<string>();
  for (const { table, model } of entries.toReversed()) {
    const isOfLayer = model.layer === "views" || model.layer === "checks" || model.layer === "statistics";
    if (isParquet(model) || (isOfLayer && isShown(model))) kept.add(table);
    if (kept.has(table) && !isStored(model)) model.reads.forEach((name) => kept.add(name));
  }
  return entries.filter(({ table }) => kept.has(table));
}

/** A model's query where the tables that it reads may be in the other schema, which a view does not search. */
function overInternals({ sql, reads }: Model): string {
  const internal = reads.filter(isInternal).map((name) => `${name} as not materialized (from internal.${name})`);
  return internal.length === 0 ? sql : `with ${internal.join(", ")} select * from (${sql}\n)`;
}

/** A view whose tables are those of the database. */
async function addView(warehouse: Warehouse, name: string, query: string): Promise<void> {
  await warehouse.all(`use ${database}`);
  try {
    await warehouse.all(`create view ${name} as ${query}`);
  } finally {
    await warehouse.all("use memory");
  }
}

async function addTable(warehouse: Warehouse, { name, source }: WrittenTable, dir: string): Promise<void> {
  const own = `${database}.main.${quoted(name)}`;
  if (source === undefined) await warehouse.all(`create or replace table ${own} as from memory.${quoted(name)}`);
  else await addView(warehouse, own, viewOf(source, source.files.some(isObject) ? undefined : filesFrom(dir, source)));
}

/** The files of a table in a lake that may be moved: then the variable `folder` says where the database is. */
function filesFrom(dir: string, { files }: TableSource): EngineFiles {
  const slashes = (path: string) => path.split(sep).join("/");
  const names = files.map((file) => slashes(relative(dir, file)));
  return { names, below: `coalesce(getvariable('folder'), ${text(slashes(resolve(dir)))})` };
}

/** Comments on every table and column of the database. */
async function describe(warehouse: Warehouse, plan: readonly Model[], tables: readonly WrittenTable[]): Promise<void> {
  const comments = plan.flatMap((model) =>
    [...documentedTables(model)].map(([name, columns]): [string, string, string, Record<string, string>] => [
      schemaOf(model),
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
  // One transaction: each by itself would wait for the disk.
  await warehouse.all(["begin", ...statements, "commit"].join(";\n"));
}

/** A column's documentation in one line. */
function sentenceOf({ meaning, unit, nulls }: { meaning: string; unit: string; nulls: string }): string {
  return `${meaning}${unit === "" ? "" : ` (${unit})`}${nulls === "" ? "" : `. null: ${nulls}`}`;
}
