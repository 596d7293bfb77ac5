// Which paths and scores of a mapping the records lack, and how many do.
import { didYouMean, firstFew, sqlText as text, thousands, UsageError } from "../platform/index.js";
import { jsonAt, keysIn, textOf, type JsonPath, type Warehouse } from "../warehouse/index.js";
import { shownFile, type Screened } from "./files.js";
import type { FileOptions } from "./schema.js";
import { importSql } from "./sql.js";

/** A column, a path, or its score. The column of a query is where a wrong path ends. */
export interface Asked {
  readonly name: string;
  /** SQL, null where a record lacks it. */
  readonly value?: string;
  readonly path?: JsonPath | undefined;
  /** It is asked of records that the mapping skips, too. */
  readonly isCondition?: boolean;
}

export function askedAt(name: string, path: JsonPath | undefined, { sql }: FileOptions): Asked {
  if (path === undefined || (path.names.length === 0 && sql === undefined)) return { name };
  const value = path.names.length === 0 ? path.cell : `${jsonAt(path)}::varchar`;
  return { name, path, ...(value !== undefined && { value }) };
}

/** SQL: the names of what a record lacks. */
export function lackedSql(asked: readonly Asked[]): string {
  const lackable = asked.filter(({ value }) => value !== undefined);
  const values = lackable.map(({ value }) => value).join(", ");
  const names = lackable.map(({ name }) => text(name)).join(", ");
  return `lacked([${values}], [${names}])`;
}

export interface Lacking extends Asked {
  readonly records: number;
  readonly lacking: number;
}

/** @param rows SQL of `lacks`, null for a record that cannot be read, and `is_skipped` */
export async function lackingIn(
  warehouse: Warehouse,
  rows: string,
  asked: readonly Asked[],
): Promise<Lacking[]> {
  const counts = await warehouse.all(await importSql("lacking", { rows }));
  const named = new Map(counts.map((row) => [textOf(row, "name"), row]));
  return asked.map((one) => {
    const count = (name: string) =>
      Number(named.get(name)?.[one.isCondition ? "every" : "taken"] ?? 0);
    return { ...one, records: count(""), lacking: count(one.name) };
  });
}

const mostNamed = 10;
export const firstNames = (names: readonly string[]) =>
  firstFew(
    names.map((name) => JSON.stringify(name)),
    mostNamed,
  );

/** What some records lack, or most of a score, in a sentence. @param list its name */
export function lackingSays(list: string, lacking: readonly Lacking[]): string[] {
  const lacked = lacking.filter((one) =>
    one.path === undefined
      ? one.lacking * 2 > one.records
      : one.path.names.length > 0 && !one.isCondition && one.lacking > 0,
  );
  if (lacked.length === 0) return [];
  const each = lacked.map(
    (one) => `${one.name} (${thousands(one.lacking)} of ${thousands(one.records)})`,
  );
  return [`Some records of ${list} lack what the mapping names: ${firstFew(each, mostNamed)}.`];
}

export function columnsLeft(
  files: readonly { readonly columns: readonly string[]; readonly screened: Screened }[],
  read: readonly string[],
): string[] {
  const all = new Set(files.flatMap(({ columns }) => columns));
  all.delete("line");
  if (files.some(({ screened }) => screened.source.placed !== undefined)) all.delete("file");
  const isRead = (column: string) =>
    read.some((name) => name === column || name.startsWith(`${column}.`));
  return [...all].filter((column) => !isRead(column));
}

async function keysBeside(
  warehouse: Warehouse,
  { name, path = { json: "null", names: [] } }: Asked,
  from: string,
): Promise<string> {
  const own = name.split(".").slice(0, -1);
  const holder = own.join(".");
  const keys = await keysIn(warehouse, from, jsonAt({ ...path, names: path.names.slice(0, -1) }));
  const near = didYouMean(
    name,
    keys.map((key) => [...own, key].join(".")),
  );
  return keys.length > 0
    ? `${near} ${holder || "It"} has ${firstNames(keys)}.`
    : ` ${holder} has no fields.`;
}

/** @throws UsageError for paths that find nothing in any record of the files. */
export async function refuseLacking(
  warehouse: Warehouse,
  lacking: readonly Lacking[],
  files: readonly { from: string; screened: Screened }[],
  { where, options }: { where: string; options: FileOptions },
): Promise<void> {
  const paths = lacking.filter(
    ({ path, records, lacking: none }) => path && records > 0 && none === records,
  );
  const [file] = files;
  if (paths.length === 0 || file === undefined) return;
  const [empty] = paths.filter(({ path }) => path?.names.length === 0);
  if (empty !== undefined)
    throw new UsageError(
      `${where} names the column ${JSON.stringify(empty.name)}, which is empty in every row of ` +
        `${shownFile(file.screened.source, options)}, as of a wrong path. Check the query.`,
    );
  const says = await Promise.all(paths.map((path) => keysBeside(warehouse, path, file.from)));
  throw new UsageError(
    `${where} names the column${paths.length > 1 ? "s" : ""} ` +
      `${firstNames(paths.map(({ name }) => name))}, which ` +
      `${shownFile(file.screened.source, options)} lacks.${[...new Set(says)].join("")}`,
  );
}
