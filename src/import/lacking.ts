// Which paths and scores of a mapping the records lack, and how many do.
import { didYouMean, firstFew, sqlText as text, thousands, UsageError } from "../platform/index.js";
import { jsonAt, keysIn, textOf, type JsonPath, type Warehouse } from "../warehouse/index.js";
import type { Screened } from "./files.js";

/** What a mapping reads of a record: a column, a path, or a score, which may be in several. */
export interface Asked {
  readonly name: string;
  /** SQL, null where a record lacks it. Every record has a column. */
  readonly value?: string;
  readonly path?: JsonPath | undefined;
  /** The score that has this as one of its columns. */
  readonly score?: string | undefined;
  /** It is asked of records that the mapping skips, too. */
  readonly isCondition?: boolean;
  /** Some records are expected to lack it. */
  readonly isOptional?: boolean;
}

export const askedAt = (name: string, path: JsonPath | undefined): Asked =>
  path === undefined || path.names.length === 0
    ? { name }
    : { name, path, value: `${jsonAt(path)}::varchar` };

/** SQL: the names of what a record lacks. */
export function lackedSql(asked: readonly Asked[]): string {
  const lackable = asked.filter(({ value }) => value !== undefined);
  const values = lackable.map(({ value }) => value).join(", ");
  const names = lackable.map(({ name }) => text(name)).join(", ");
  return (
    `list_transform(list_filter(list_zip([${values}]::varchar[], [${names}]::varchar[]), ` +
    "lambda one: one[1] is null), lambda one: one[2])"
  );
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
  const counts = await warehouse.all(
    "select name, count(*) as every, count(*) filter (where not is_skipped) as taken from " +
      `(select unnest([''] || lacks) as name, is_skipped from (${rows}) where lacks is not null) ` +
      "group by name",
  );
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
const withCounts = (lacking: readonly Lacking[]) =>
  firstFew(
    lacking.map((one) => `${one.name} (${thousands(one.lacking)} of ${thousands(one.records)})`),
    mostNamed,
  );

/** What some records lack, in sentences. @param list its name */
export function lackingSays(list: string, lacking: readonly Lacking[]): string[] {
  const paths = lacking.filter((one) => one.path && !one.isOptional && one.lacking > 0);
  const scores = lacking.filter((one) => !one.path && one.lacking * 2 > one.records);
  return [
    ...(paths.length > 0
      ? [`Some records of ${list} lack what the mapping names: ${withCounts(paths)}.`]
      : []),
    ...(scores.length > 0 ? [`Most records of ${list} have no score: ${withCounts(scores)}.`] : []),
  ];
}

/** Neither a value nor a field of them is read. */
export function columnsLeft(
  files: readonly { readonly columns: readonly string[] }[],
  read: readonly string[],
): string[] {
  const all = new Set(files.flatMap(({ columns }) => columns));
  const isRead = (column: string) =>
    read.some((name) => name === column || name.startsWith(`${column}.`));
  return [...all].filter((column) => !isRead(column));
}

/** What is there instead, at the longest beginning of the path that has something. */
async function keysBefore(
  warehouse: Warehouse,
  { name, path = { json: "null", names: [] } }: Asked,
  from: string,
): Promise<string> {
  const parts = name.split(".");
  let says = "";
  for (let left = path.names.length - 1; left >= 0; left--) {
    const own = parts.slice(0, left - path.names.length);
    const holder = { ...path, names: path.names.slice(0, left) };
    const keys = await keysIn(warehouse, from, jsonAt(holder));
    const whole = keys.map((key) => [...own, key].join("."));
    if (keys.length > 0)
      return `${says}${didYouMean(name, whole)} ${own.join(".") || "It"} has ${firstNames(keys)}.`;
    says = ` ${own.join(".")} has no fields.`;
  }
  return says;
}

/** @throws UsageError for paths that find nothing in any record of the files. */
export async function refuseLacking(
  warehouse: Warehouse,
  lacking: readonly Lacking[],
  files: readonly { from: string; screened: Screened }[],
  where: string,
): Promise<void> {
  const hasScore = (name?: string) =>
    lacking.some((one) => one.name === name && one.lacking < one.records);
  // A list may be shorter than the longest one.
  const isFarPlace = (name: string) => name.split(".").some((one) => Number(one) > 0);
  const paths = lacking.filter(
    ({ name, path, records, ...one }) =>
      path &&
      records > 0 &&
      one.lacking === records &&
      !hasScore(one.score) &&
      !(one.isOptional && isFarPlace(name)),
  );
  const [file] = files;
  if (paths.length === 0 || file === undefined) return;
  const says = await Promise.all(paths.map((path) => keysBefore(warehouse, path, file.from)));
  throw new UsageError(
    `${where} names the column${paths.length > 1 ? "s" : ""} ` +
      `${firstNames(paths.map(({ name }) => name))}, which ` +
      `${file.screened.source.file} lacks.${[...new Set(says)].join("")}`,
  );
}
