import type { DuckDBConnection } from "@duckdb/node-api";
import { columnTypes, lakeTable, tableColumns, type TableName, unitOf } from "../contract/index.js";
import { sqlText as text, type EngineFiles, readParquet } from "../platform/index.js";

/** Lake tables that sql/staging reads. */
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

/**
 * Column name to DuckDB type of each table that sql/staging reads: missing tables and columns are
 * empty.
 */
export const readColumns: Readonly<Record<string, Readonly<Record<string, string>>>> =
  Object.fromEntries(readTables.map((table) => [table, columnTypes(table)]));

/** One lake table: its Parquet files and its columns (name → DuckDB type). */
export interface TableSource {
  readonly files: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
  /**
   * Whether every file is known to have all these columns: the engine then opens one to bind a
   * statement, not each (of 1,000: 20 and 85 ms of CPU).
   */
  readonly isUniform?: boolean;
  /** The experiments whose folders have other names, by name of the folder. */
  readonly renamed?: Readonly<Record<string, string>>;
}

/**
 * One view per lake table. A table without files, or a column that older files lack, exists and is
 * empty, so SQL need not check whether an experiment has sessions.
 * @param isPartial makes no views of tables that `sources` lacks
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

/** The statement that shows a lake table as a view. */
export function sourceView(table: string, source?: TableSource): string {
  const columns = { ...readColumns[table], ...source?.columns };
  return `create or replace view ${quoted(table)} as ${viewOf({ files: [], ...source, columns })}`;
}

/**
 * A query for the rows of a table's files; for no rows, with its columns, if there are none.
 * @param named the files in another way than by their names
 */
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
  // Parts of an earlier format may have other types.
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
 * The experiment in the path of a part, for both engines. DuckDB's own way to read it would take
 * every folder above the lake that is named like `name=value` for a column.
 */
const inFolder = "[\\\\/]experiment_id=([^\\\\/]*)[\\\\/][^\\\\/]*$";

/** The experiment of a row by the name of its folder: an expression for both engines. */
export function experimentIn(
  renamed: Readonly<Record<string, string>> = {},
  folder = "experiment_id",
): string {
  const names = Object.entries(renamed);
  if (names.length === 0) return folder;
  const cases = names.map(([folder, id]) => `when ${text(folder)} then ${text(id)}`);
  return `case ${folder} ${cases.join(" ")} else ${folder} end`;
}

/**
 * The end of an instant: its zone, with hours below 24 and minutes below 60, since the engine adds
 * up any other.
 */
export const zonePattern = "(Z|[+-]([01]\\d|2[0-3])(:?[0-5]\\d)?)$";

/** A name as an SQL identifier. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export { text };

/** What a column is, if it is described. */
interface ColumnMeaning {
  readonly meaning: string;
  readonly unit?: string;
  /** What null means. */
  readonly nulls?: string;
}

/**
 * The key under which a Parquet file of Recount describes its columns. The engine writes no
 * metadata of a single column.
 */
const columnsKey = "recount.columns";

/** Options of `copy … to` for a Parquet file that says what it holds. */
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

/** The same for a part of a lake's table. */
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
