/** Writes models as Parquet files, and recount.duckdb over them. */
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { kinds, metricKind, type Conventions } from "../../metrics/index.js";
import {
  attach,
  codeOf,
  copyTo,
  digestOf,
  type EngineFiles,
  enginePath,
  fsp,
  isObject,
  makeDir,
  nameOfThisProcess,
  readParquet,
  removeLeftovers,
} from "../../platform/index.js";
import type { Warehouse } from "../engine.js";
import {
  type DocumentedColumn,
  documentedTables,
  headerLine,
  isInternal,
  type Model,
} from "../models.js";
import { parquetFormat, quoted, type TableSource, text, viewOf } from "../parquet.js";
import { modelsBehind } from "../plan.js";
import { ordinaryModels, screened } from "../recompute.js";
import { storedMacros } from "./warehouse.js";

export type ModelChoice = "published" | "usual" | "all";

export interface WrittenTable {
  readonly name: string;
  readonly description: string;
  readonly columns: Readonly<Record<string, string>>;
  /** Its files: in the snapshot, or beside those of the models. */
  readonly source: TableSource | Pick<TableGroup, "key">;
}

export interface TableGroup {
  readonly key: string;
  readonly experiments: readonly string[];
}

export interface GroupFile {
  readonly table: string;
  readonly sha256: string;
  readonly rows: number;
  readonly bytes: number;
}

const database = "export_database";

export const databaseName = "recount.duckdb";

export const groupFile = (table: string, { key }: Pick<TableGroup, "key">): string =>
  `${table}/${key}.parquet`;

const schemaOf = ({ layer }: Model): string => (layer === "checks" ? "checks" : "main");

export interface ShownModel {
  readonly model: Model;
  readonly behind: readonly Model[];
}

const isShown = ({ name, kernel, layer }: Model): boolean =>
  kernel === null && (!isInternal(name) || layer === "checks");

export const isWritten = (model: Model, choice: ModelChoice): boolean =>
  model.isExtra
    ? choice === "all"
    : isShown(model) && (model.stored === "table" || model.sortedBy !== null);

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
    .filter(({ behind }) => behind.every(({ kernel }) => kernel === null));
  return { written, shown };
}

/** Writes `<dir>/<table>/<group>.parquet`, rows sorted: the same data give the same bytes. */
export async function writeTables(
  warehouse: Warehouse,
  models: readonly Model[],
  groups: readonly TableGroup[],
  dir: string,
  isWhole = true,
): Promise<ReadonlyMap<string, readonly GroupFile[]>> {
  const files = new Map<string, GroupFile[]>(groups.map(({ key }) => [key, []]));
  for (const model of models) {
    const { name } = model;
    await makeDir(join(dir, name));
    await warehouse.release();
    for (const group of groups) {
      const ids = group.experiments.map(text).join(", ");
      const own = isWhole && groups.length === 1 ? "" : `where experiment_id in (${ids || "null"})`;
      const rows = `(from ${quoted(name)} ${own} order by ${model.sortedBy ?? "all"})`;
      const file = join(dir, groupFile(name, group));
      const [done] = await warehouse.all(copyTo(rows, file, formatHeader(model)));
      const { sha256, bytes } = await digestOf(file);
      files.get(group.key)?.push({ table: name, sha256, bytes, rows: Number(done?.Count ?? 0) });
    }
  }
  return files;
}

function formatHeader(model: Model): string {
  const columns = documentedTables(model).get(model.name) ?? [];
  const about = Object.fromEntries(columns.map(({ name, ...meaning }) => [name, meaning]));
  return parquetFormat(`One row: ${headerLine(model.sql, "grain")}`, about);
}

interface DatabaseContent {
  readonly conventions: Conventions;
  readonly written: readonly Model[];
  readonly shown: readonly ShownModel[];
  readonly groups: readonly Pick<TableGroup, "key">[];
  readonly tables: readonly WrittenTable[];
}

/**
 * Views over the files, and models as queries.
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
      ...written.map(
        (model) => `create view ${nameOf(model)} as ${groupRows(model.name, groups, dir)}`,
      ),
      ...shown.map((one) => `create view ${nameOf(one.model)} as ${shownQuery(one)}`),
    ];
    await inDatabase(warehouse, statements);
    await describeTables(warehouse, [...written, ...shown.map(({ model }) => model)], tables);
  } finally {
    await warehouse.all(`detach database if exists ${database}`).catch(() => undefined);
  }
}

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

export async function replaced<T>(dir: string, write: (staged: string) => Promise<T>): Promise<T> {
  // Another process may write the models of the same snapshot.
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

/** Writes a table of the warehouse as a file, in place of the one before, and a view over it. */
export async function addToDatabase(
  warehouse: Warehouse,
  dir: string,
  table: Omit<WrittenTable, "source">,
  key: string,
): Promise<GroupFile> {
  const { name, description } = table;
  // Fails while somebody reads it.
  await warehouse.all(attach(join(dir, databaseName), database));
  const file = join(dir, groupFile(name, { key }));
  await fsp.rm(dirname(file), { recursive: true, force: true });
  await makeDir(dirname(file));
  const meanings = Object.entries(table.columns).map(
    ([column, meaning]) => [column, { meaning }] as const,
  );
  const format = parquetFormat(description, Object.fromEntries(meanings));
  const [done] = await warehouse.all(copyTo(`memory.${quoted(name)}`, file, format));
  const written = { ...table, source: { key } };
  await inDatabase(warehouse, [tableStatement(written, dir)]);
  await describeTables(warehouse, [], [written]);
  await warehouse.all(`detach ${database}`);
  return { table: name, ...(await digestOf(file)), rows: Number(done?.Count ?? 0) };
}

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

/** One query, because the engine would bind nested views again and again. */
const shownQuery = ({ model, behind }: ShownModel): string =>
  behind.length === 0
    ? model.sql
    : `with ${behind.map(({ name, sql }) => `${name} as (${sql}\n)`).join(", ")} from ` +
      `(${model.sql}\n)`;

function tableStatement({ name, source }: WrittenTable, dir: string): string {
  const rows =
    "key" in source
      ? groupRows(name, [source], dir)
      : viewOf(source, source.files.some(isObject) ? undefined : filesFrom(dir, source));
  return `create or replace view main.${quoted(name)} as ${rows}`;
}

function groupRows(name: string, groups: DatabaseContent["groups"], dir: string): string {
  const names = groups.map((group) => groupFile(name, group));
  return `from ${readParquet({ names, below: modelsBelow(dir) })}`;
}

/** The lake may be moved: the variable `folder` then says where the database is. */
function filesFrom(dir: string, { files }: TableSource): EngineFiles {
  const slashes = (path: string) => path.split(sep).join("/");
  const names = files.map((file) => slashes(relative(dir, file)));
  return { names, below: belowFolder(dir) };
}

const placeText = (dir: string) => text(isObject(dir) ? dir : resolve(dir).split(sep).join("/"));

const belowFolder = (dir: string) => `coalesce(getvariable('folder'), ${placeText(dir)})`;

/**
 * An expression: databases of two snapshots may be open. `building` is where the folder is until it
 * is complete.
 */
const modelsBelow = (dir: string) =>
  "coalesce(getvariable('building'), coalesce(getvariable('folder') || '/..', " +
  `${placeText(dirname(dir))}) || ${text(`/${basename(dir)}`)})`;

async function describeTables(
  warehouse: Warehouse,
  plan: readonly Model[],
  tables: readonly WrittenTable[],
): Promise<void> {
  const comments = [
    ...plan.map((model) => {
      const columns = documentedTables(model).get(model.name) ?? [];
      return {
        schema: schemaOf(model),
        name: model.name,
        description: `One row: ${headerLine(model.sql, "grain")}`,
        columns: Object.fromEntries(columns.map((column) => [column.name, sentenceOf(column)])),
      };
    }),
    ...tables.map((table) => ({ schema: "main", ...table })),
  ];
  const statements = comments.flatMap(({ schema, name, description, columns }) => {
    const view = `${database}.${schema}.${quoted(name)}`;
    return [
      `comment on view ${view} is ${text(description)}`,
      ...Object.entries(columns).map(
        ([column, meaning]) => `comment on column ${view}.${quoted(column)} is ${text(meaning)}`,
      ),
    ];
  });
  // Each in a transaction of its own would wait for the disk.
  await warehouse.all(["begin", ...statements, "commit"].join(";\n"));
}

const sentenceOf = ({ meaning, unit, nulls }: DocumentedColumn): string =>
  `${meaning}${unit === "" ? "" : ` (${unit})`}${nulls === "" ? "" : `. null: ${nulls}`}`;
