/** Parquet files of the lake as views, and the options with which Recount writes its own. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { columnTypes, lakeTable, tableColumns, type TableName, unitOf } from "../contract/index.js";
import { sqlText as text, type EngineFiles, readParquet } from "../platform/index.js";

const readTables = [
  "experiments",
  "experiment_details",
  "jobs",
  "ratings",
  "slate_ratings",
  "slates",
  "sessions",
  "results",
  "metrics",
  "rubrics",
  "leaderboards",
] as const satisfies readonly TableName[];

/** Column name to DuckDB type: missing tables and columns are empty. */
export const readColumns: Readonly<Record<string, Readonly<Record<string, string>>>> =
  Object.fromEntries(readTables.map((table) => [table, columnTypes(table)]));

export interface TableSource {
  readonly files: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
  /** Every file has all these columns: the engine opens one to bind a statement, not each. */
  readonly isUniform?: boolean;
  readonly renamed?: Readonly<Record<string, string>>;
}

/**
 * A table without files, or a column that older files lack, exists and is empty.
 * @param isPartial leaves out tables that `sources` lacks
 */
export async function createSourceViews(
  connection: DuckDBConnection,
  sources: Readonly<Record<string, TableSource>>,
  isPartial: boolean,
): Promise<void> {
  const others = isPartial ? [] : Object.keys(readColumns);
  const tables = new Set([...others, ...Object.keys(sources)]);
  for (const table of [...tables].sort()) await connection.run(sourceView(table, sources[table]));
}

export function sourceView(table: string, source?: TableSource): string {
  const columns = { ...readColumns[table], ...source?.columns };
  return `create or replace view ${quoted(table)} as ${viewOf({ files: [], ...source, columns })}`;
}

/** @param named the files in another way than by their names */
export function viewOf(
  { columns, files, isUniform, renamed }: TableSource,
  named: EngineFiles = files,
): string {
  const empty = Object.entries(columns).map(
    ([name, type]) => `cast(null as ${type}) as ${quoted(name)}`,
  );
  const none = `select ${empty.length === 0 ? "null as nothing" : empty.join(", ")} where false`;
  if (files.length === 0) return none;
  const isPartitioned = files.every((file) => new RegExp(inFolder).test(file));
  const experiment = experimentIn(renamed, `regexp_extract(filename, ${text(inFolder)}, 1)`);
  const read = (name: string) =>
    name === "experiment_id" && isPartitioned && isUniform ? experiment : quoted(name);
  const typed = Object.entries(columns).map(
    ([name, type]) => `cast(${read(name)} as ${type}) as ${quoted(name)}`,
  );
  if (isUniform) return `select ${typed.join(", ")} from ${readParquet(named)}`;
  const found = isPartitioned ? `*, ${experiment} as experiment_id` : "*";
  const all =
    `${none} union all by name select ${found} from ` +
    readParquet(named, ["union_by_name = true"]);
  return typed.length === 0 ? all : `select * replace (${typed.join(", ")}) from (${all})`;
}

/**
 * DuckDB's own way would take every folder above the lake that is named `name=value` for a column.
 */
const inFolder = "[\\\\/]experiment_id=([^\\\\/]*)[\\\\/][^\\\\/]*$";

export function experimentIn(
  renamed: Readonly<Record<string, string>> = {},
  folder = "experiment_id",
): string {
  const names = Object.entries(renamed);
  if (names.length === 0) return folder;
  const cases = names.map(([folder, id]) => `when ${text(folder)} then ${text(id)}`);
  return `case ${folder} ${cases.join(" ")} else ${folder} end`;
}

/** The zone of an instant, hours below 24 and minutes below 60: the engine adds up any other. */
export const zonePattern = "(Z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)$";

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export { text };

interface ColumnMeaning {
  readonly meaning: string;
  readonly unit?: string;
  readonly nulls?: string;
}

const columnsKey = "recount.columns";

export function parquetFormat(
  description: string,
  columns: Readonly<Record<string, ColumnMeaning>>,
): string {
  const given = (meaning: ColumnMeaning) =>
    Object.fromEntries(Object.entries(meaning).filter(([, said]) => said !== ""));
  const about = {
    description,
    columns: Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, given(one)])),
  };
  return (
    `format parquet, compression zstd, kv_metadata {${text(columnsKey)}: ` +
    `${text(JSON.stringify(about))}}`
  );
}

export function partFormat(table: TableName): string {
  const columns = tableColumns(table).map(({ name, type, description = "" }) => [
    name,
    { meaning: description, unit: unitOf(type) },
  ]);
  return parquetFormat(
    lakeTable(table).description,
    Object.fromEntries(columns) as Record<string, ColumnMeaning>,
  );
}
