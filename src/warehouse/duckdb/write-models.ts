import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { kinds, metricKind, type Conventions } from "../../metrics/index.js";
import {
  attach,
  codeOf,
  copyTo,
  digestOf,
  type EngineFiles,
  enginePath,
  exists,
  fsp,
  isObject,
  makeDir,
  nameOfThisProcess,
  readParquet,
  removeLeftovers,
} from "../../platform/index.js";
import { textOf, type Warehouse } from "../engine.js";
import { documentedTables, headerLine, isInternal, type Model } from "../models.js";
import { parquetFormat, quoted, type TableSource, text, viewOf } from "../parquet.js";
import { modelsBehind } from "../plan.js";
import { ordinaryModels, screened } from "../recompute.js";
import { storedMacros } from "./warehouse.js";

/** The tables that are written: those of the published kinds, those that people read, or all. */
export type ModelChoice = "published" | "usual" | "all";

/** A table of recount.duckdb that no model makes. */
export interface WrittenTable {
  readonly name: string;
  readonly description: string;
  /** Descriptions of columns, by name. */
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Its Parquet files, which the database reads where they are; if absent, the warehouse has the
   * table.
   */
  readonly source?: TableSource;
}

/** Experiments whose rows lie in one file of each table. */
export interface TableGroup {
  /** Digest of everything on which their rows depend: the name of the files. */
  readonly key: string;
  readonly experiments: readonly string[];
}

/** A file of a group. */
export interface GroupFile {
  readonly table: string;
  readonly sha256: string;
  readonly rows: number;
  readonly bytes: number;
}

const database = "export_database";

/** The database among the files of a snapshot's models. */
export const databaseName = "recount.duckdb";

/** The file of a group's rows of a table, within the folder of a snapshot's models. */
export const groupFile = (table: string, { key }: Pick<TableGroup, "key">): string =>
  `${table}/${key}.parquet`;

const schemaOf = ({ layer }: Model): string => (layer === "checks" ? "checks" : "main");

/** A model that is a query of recount.duckdb, with those that it reads, each after its own. */
export interface ShownModel {
  readonly model: Model;
  readonly behind: readonly Model[];
}

/** Whether a model is for people: neither the input of a kernel nor its output. */
const isShown = ({ name, kernel, layer }: Model): boolean =>
  kernel === null && (!isInternal(name) || layer === "checks");

/** Whether a choice writes a model, if it is computed. */
export const isWritten = (model: Model, choice: ModelChoice): boolean =>
  model.isExtra ? choice === "all" : isShown(model) && model.stored === "table";

/** The models of a choice, in running order. */
export async function modelsOfChoice(
  conventions: Conventions,
  choice: ModelChoice,
  hasStatistics: boolean,
): Promise<{ readonly written: readonly Model[]; readonly shown: readonly ShownModel[] }> {
  const plan = await screened(await ordinaryModels(hasStatistics), conventions);
  if (choice === "published") {
    const published = kinds.map((kind) => metricKind(kind).model);
    return { written: plan.filter(({ name }) => published.includes(name)), shown: [] };
  }
  const written = plan.filter((model) => isWritten(model, choice));
  const files = new Set(written.map(({ name }) => name));
  const ends = plan.map((model) => (files.has(model.name) ? { ...model, reads: [] } : model));
  const shown = plan
    .filter((model) => isShown(model) && !files.has(model.name) && !model.isExtra)
    .map((model) => {
      const read = modelsBehind(ends, [model.name]).filter(({ name }) => !files.has(name));
      return { model, behind: read.filter(({ name }) => name !== model.name) };
    })
    // A query reads files and other queries: what a kernel computes is not there.
    .filter(({ behind }) => behind.every(({ kernel }) => kernel === null));
  return { written, shown };
}

/**
 * Writes tables of the warehouse as `<dir>/<table>/<group>.parquet`. Rows are sorted, so the same
 * data give the same bytes.
 */
export async function writeTables(
  warehouse: Warehouse,
  models: readonly Model[],
  groups: readonly TableGroup[],
  dir: string,
): Promise<ReadonlyMap<string, readonly GroupFile[]>> {
  const files = new Map<string, GroupFile[]>(groups.map(({ key }) => [key, []]));
  for (const model of models) {
    const { name } = model;
    await makeDir(join(dir, name));
    await warehouse.release();
    for (const group of groups) {
      const ids = group.experiments.map(text).join(", ");
      const own = groups.length === 1 ? "" : `where experiment_id in (${ids || "null"})`;
      const rows = `(from memory.${quoted(name)} ${own} order by ${model.sortedBy ?? "all"})`;
      const file = join(dir, groupFile(name, group));
      const [done] = await warehouse.all(copyTo(rows, file, formatHeader(model)));
      const { sha256, bytes } = await digestOf(file);
      files.get(group.key)?.push({ table: name, sha256, bytes, rows: Number(done?.Count ?? 0) });
    }
  }
  return files;
}

/** The columns of a model's table are described in its file. */
function formatHeader(model: Model): string {
  const columns = documentedTables(model).get(model.name) ?? [];
  const about = Object.fromEntries(columns.map(({ name, ...meaning }) => [name, meaning]));
  return parquetFormat(`One row: ${headerLine(model.sql, "grain")}`, about);
}

/** What recount.duckdb shows. */
export interface DatabaseContent {
  readonly conventions: Conventions;
  /** Models whose files are there. */
  readonly written: readonly Model[];
  /** Models that it computes when they are read. */
  readonly shown: readonly ShownModel[];
  readonly groups: readonly Pick<TableGroup, "key">[];
  readonly tables: readonly WrittenTable[];
}

/**
 * Writes recount.duckdb: views over the files of the models and over those of the lake, and what
 * people read beside them as queries; the checks are in a schema of their own.
 * @param staged the folder that becomes `dir`, beside it
 */
export async function writeDatabase(
  warehouse: Warehouse,
  { conventions, written, shown, groups, tables }: DatabaseContent,
  staged: string,
  dir: string,
): Promise<void> {
  await warehouse.all(attach(join(staged, databaseName), database));
  try {
    for (const variable of ["folder", "building"])
      await warehouse.all(`set variable ${variable} = ${text(enginePath(staged))}`);
    const nameOf = (model: Model) => `${schemaOf(model)}.${quoted(model.name)}`;
    const statements = [
      "create schema checks",
      ...tables.map((table) => tableStatement(table, dir)),
      ...(shown.length > 0 ? [storedMacros(conventions)] : []),
      ...written.map((model) => {
        const names = groups.map((group) => groupFile(model.name, group));
        const files = `from ${readParquet({ names, below: modelsBelow(dir) })}`;
        return `create view ${nameOf(model)} as ${files}`;
      }),
      ...shown.map((one) => `create view ${nameOf(one.model)} as ${shownQuery(one)}`),
    ];
    await inDatabase(warehouse, statements);
    await describeTables(warehouse, [...written, ...shown.map(({ model }) => model)], tables);
  } finally {
    await warehouse.all(`detach database if exists ${database}`).catch(() => undefined);
  }
}

/** Runs statements whose tables are those of the database, in one transaction. */
async function inDatabase(warehouse: Warehouse, statements: readonly string[]): Promise<void> {
  await warehouse.all(`use ${database}`);
  try {
    await warehouse.all(["begin", ...statements, "commit"].join(";\n"));
  } catch (error) {
    await warehouse.all("rollback").catch(() => undefined);
    throw error;
  } finally {
    await warehouse.all("use memory");
  }
}

/** Replaces `<project>/derived/<snapshot>` by what `write` fills, once that is complete. */
export async function replaced<T>(dir: string, write: (staged: string) => Promise<T>): Promise<T> {
  // A folder of its own: another process may write the models of the same snapshot.
  const prefix = `.${basename(dir)}.tmp-`;
  const staged = join(dirname(dir), prefix + nameOfThisProcess());
  await makeDir(staged);
  removeLeftovers(dirname(dir), prefix);
  try {
    const done = await write(staged);
    await replaceFolder(dir, staged);
    return done;
  } catch (error) {
    await fsp.rm(staged, { recursive: true, force: true });
    throw error;
  }
}

/** Puts a table of the warehouse into a recount.duckdb that is written. */
export async function addToDatabase(
  warehouse: Warehouse,
  file: string,
  table: WrittenTable,
): Promise<void> {
  await warehouse.all(attach(file, database));
  await inDatabase(warehouse, [tableStatement(table, dirname(file))]);
  await describeTables(warehouse, [], [table]);
  await warehouse.all(`detach ${database}`);
}

/** Takes a table of a recount.duckdb into the warehouse, if that is there and can be read. */
export async function takeFromDatabase(
  warehouse: Warehouse,
  file: string,
  name: string,
): Promise<boolean> {
  if (isObject(file) || !(await exists(file))) return false;
  try {
    await warehouse.all(`${attach(file, database)} (read_only)`);
    await warehouse.all(
      `create or replace table memory.${quoted(name)} as from ${database}.main.${quoted(name)}`,
    );
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

/** One query of a model and of those that it reads: nested views would be bound again and again. */
const shownQuery = ({ model, behind }: ShownModel): string =>
  behind.length === 0
    ? model.sql
    : `with ${behind.map(({ name, sql }) => `${name} as (${sql}\n)`).join(", ")} from ` +
      `(${model.sql}\n)`;

function tableStatement({ name, source }: WrittenTable, dir: string): string {
  const own = `main.${quoted(name)}`;
  if (source === undefined) return `create or replace table ${own} as from memory.${quoted(name)}`;
  const files = source.files.some(isObject) ? undefined : filesFrom(dir, source);
  return `create or replace view ${own} as ${viewOf(source, files)}`;
}

/**
 * The files of a table in a lake that may be moved: then the variable `folder` says where the
 * database is.
 */
function filesFrom(dir: string, { files }: TableSource): EngineFiles {
  const slashes = (path: string) => path.split(sep).join("/");
  const names = files.map((file) => slashes(relative(dir, file)));
  return { names, below: belowFolder(dir) };
}

const placeText = (dir: string) => text(isObject(dir) ? dir : resolve(dir).split(sep).join("/"));

/** An expression for the folder of the database. */
const belowFolder = (dir: string) => `coalesce(getvariable('folder'), ${placeText(dir)})`;

/**
 * An expression for the folder of the models, which lies beside those of other snapshots: databases
 * of two may be open. `building` is where it lies until it is complete.
 */
const modelsBelow = (dir: string) =>
  "coalesce(getvariable('building'), coalesce(getvariable('folder') || '/..', " +
  `${placeText(dirname(dir))}) || ${text(`/${basename(dir)}`)})`;

/** Comments on every table and column of the database. */
async function describeTables(
  warehouse: Warehouse,
  plan: readonly Model[],
  tables: readonly WrittenTable[],
): Promise<void> {
  const comments = plan.flatMap((model) =>
    [...documentedTables(model)].map(
      ([name, columns]): [string, string, string, Record<string, string>] => [
        schemaOf(model),
        name,
        `One row: ${headerLine(model.sql, "grain")}`,
        Object.fromEntries(columns.map((column) => [column.name, sentenceOf(column)])),
      ],
    ),
  );
  comments.push(
    ...tables.map((one): (typeof comments)[number] => [
      "main",
      one.name,
      one.description,
      one.columns,
    ]),
  );
  const made = await warehouse.all(
    `select schema_name as schema, table_name as name, 'table' as kind from duckdb_tables()
    where database_name = '${database}'
    union all select schema_name, view_name, 'view' from duckdb_views()
    where database_name = '${database}' and not internal`,
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
function sentenceOf({
  meaning,
  unit,
  nulls,
}: {
  meaning: string;
  unit: string;
  nulls: string;
}): string {
  return `${meaning}${unit === "" ? "" : ` (${unit})`}${nulls === "" ? "" : `. null: ${nulls}`}`;
}
