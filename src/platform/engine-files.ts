/**
 * The SQL by which the engine reads and writes files, so that a path means the same file to it as
 * to Node.
 */
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { fromPack } from "../packs.js";
import { codeOf, UsageError } from "./errors.js";
import { fs, laterFolder } from "./files.js";
import { isObject, located } from "./places.js";
import { sqlText } from "./text.js";

/**
 * The engine takes a path for a pattern, `~` for the home folder and `name=value` for a column: no
 * other statement names a file.
 */

const links = new Map<string, string>();
let linkFolder = "";

function linkTo(path: string): string {
  linkFolder ||= laterFolder().path;
  const link = links.get(path) ?? join(linkFolder, String(links.size));
  links.set(path, link);
  try {
    fs.mkdirSync(linkFolder, { recursive: true });
    fs.symlinkSync(path, link, "junction");
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  return link;
}

/** A link, not brackets: the engine looks for patterns again in the paths that it has found. */
export function enginePath(file: string): string {
  if (isObject(file)) return file;
  if (!/[[*?]/.test(file)) return isAbsolute(file) ? file : `./${file}`;
  const path = resolve(file);
  const [odd = "", rest = ""] =
    new RegExp(`^(.*[[*?][^\\${sep}]*)(.*)$`, "s").exec(path)?.slice(1) ?? [];
  return linkTo(odd) + rest;
}

const writtenPath = (file: string) =>
  isObject(file)
    ? file
    : join(enginePath(dirname(file)), basename(file)).replace(/^(?![./\\])/, "./");

export type EngineFiles =
  | string
  | readonly string[]
  | { readonly folder: string }
  | { readonly names: readonly string[]; readonly below: string };

function fileListSql(files: EngineFiles): string {
  if (typeof files === "string") return sqlText(enginePath(files));
  if ("folder" in files) return sqlText(`${enginePath(files.folder)}/*.parquet`);
  if (!("names" in files)) return `[${files.map((file) => sqlText(enginePath(file))).join(", ")}]`;
  const names = files.names.map(sqlText).join(", ");
  return (
    `list_transform([${names}], lambda file: regexp_replace(${files.below} || '/' || file, ` +
    `'[[*?]', '[\\0]', 'g'))`
  );
}

const reads =
  (reader: string) =>
  (files: EngineFiles, options: readonly string[] = []) =>
    `${reader}(${[fileListSql(files), "hive_partitioning = false", ...options].join(", ")})`;

export const readParquet = reads("read_parquet");
export const readCsv = reads("read_csv");
export const readJson = reads("read_json");

export const readFooters = (files: EngineFiles) => `parquet_file_metadata(${fileListSql(files)})`;

export const copyTo = (rows: string, file: string, options: string) =>
  `copy ${rows} to ${sqlText(writtenPath(file))} (${options})`;

/** @throws UsageError for a path with `?`, before which the engine puts `.wal` */
export function attach(file: string, name: string): string {
  if (file.includes("?"))
    throw new UsageError(
      `${file}: DuckDB makes no database in a folder with ? in its name. Use another, such ` +
        "as lake.",
    );
  return `attach ${sqlText(writtenPath(file))} as ${name}`;
}

export async function letEngineRead(
  engine: DuckDBConnection,
  files: readonly string[],
): Promise<void> {
  if (!files.some(isObject)) return;
  const objects = await fromPack("objects")();
  await objects.letEngineRead(engine, files);
}

/** By their own paths and by those of `enginePath`. */
export const allowOnly = (files: readonly string[]) =>
  "set allowed_paths = " +
  `[${files.flatMap((file) => [located(file), enginePath(file)].map(sqlText)).join(", ")}]`;
