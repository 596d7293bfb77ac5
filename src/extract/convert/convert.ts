import { createHash } from "node:crypto";
import {
  lakeTable,
  looksSecret,
  secretFields,
  secretNameInJson,
  tableColumns,
  tableNames,
  treatmentOf,
  type TableName,
} from "../../contract/index.js";
import {
  digestOfNew,
  ExportError,
  fileMode,
  fs,
  fsp,
  messageOf,
  RecountError,
  type Digest,
} from "../../platform/index.js";
import type { Reader } from "../../lake/index.js";
import { pseudonymised, quoted, text, type Pseudonyms, type Warehouse } from "../../warehouse/index.js";
import { maximumElement, splitBody } from "../json/index.js";
import { judgeElements, named, type Bodies } from "./judge.js";
import { preparedFor, type EmptyPart, type Prepared } from "./prepared.js";
import { askedValue, typedRows } from "./typed-sql.js";

export interface ConvertTarget {
  readonly table: TableName;
  readonly file: string;
  /** File for rows that do not fit, as JSON lines; created only when there are any. */
  readonly quarantine: string;
  /** True if identifiers of persons become pseudonyms; the warehouse must have them. */
  readonly isPseudonymised?: boolean;
}

/** Rows written, with the digest of their file. */
export interface Converted extends Digest {
  readonly rows: number;
  readonly quarantined: number;
  /** Rows left out of an answer for one source because the whole list has them too. */
  readonly repeated?: number;
  /** Fields that the contract does not know, and the number of rows that have them. */
  readonly unknown_fields: Record<string, number>;
  /** True if a value was left out because the name of its field looks like a secret. */
  readonly hasSecrets: boolean;
  readonly reader: Reader;
}

/** Increased when the same body becomes different rows. */
const converterVersion = 5;
const columnsNow = JSON.stringify([converterVersion, tableNames.map((table) => [table, tableColumns(table)])]);

/** Identifies how bodies become parts: parts of another converter are not reused. */
export function converterId(pseudonyms: Pseudonyms | undefined): string {
  const hash = createHash("sha256").update(columnsNow);
  if (pseudonyms !== undefined) {
    const treatments = tableNames.map((table) => tableColumns(table).map(({ name }) => treatmentOf(table, name)));
    hash.update(JSON.stringify([pseudonyms.keyId, treatments]));
  }
  return hash.digest("hex").slice(0, 16);
}

/** Writes a part, and returns how many rows the engine wrote: reading its footer costs a third as much as writing a small one. */
async function writeRows(
  warehouse: Warehouse,
  sql: string,
  { table, file, isPseudonymised = false }: ConvertTarget,
): Promise<number> {
  const rows = isPseudonymised ? pseudonymised(table, sql) : sql;
  return warehouse.change(`copy (${rows}) to ${text(file)} (${preparedFor(warehouse, table).format})`);
}

/** @param places columns that order the rows of equal keys */
const orderOf = (table: TableName, ...places: string[]) =>
  `order by ${[...(lakeTable(table).sortBy ?? []).map(quoted), ...places].join(", ")}`;

interface Counts extends Omit<Converted, keyof Digest> {
  /** Of the part, if it is known. */
  readonly digest?: Digest;
}

/** What a scan has approved of a body: the engine's typed reader is exact for it. */
interface Approved {
  /** Reads the rows as the table's columns, in the order of the body. */
  readonly sql: string;
  readonly rows: number;
  readonly isOrdered: boolean;
  readonly unknown: Record<string, number>;
}

/** Undefined where the scan did not approve the list, its records may hold secrets, or the whole list has its rows too. */
function approvedOf(
  file: string,
  { form, scan, asked, whole }: Bodies,
  table: TableName,
  { columns }: Prepared,
): Approved | undefined {
  const { embedded, sortBy, record } = lakeTable(table);
  const unknown = scan?.unknown[table];
  if (form === "lines" || whole !== undefined || !scan?.conforms || unknown === undefined) return undefined;
  if (secretFields(record).length > 0 && scan.elements > 0) return undefined;
  const shown = unknown.filter(({ name }) => !looksSecret(name));
  const options = { isList: form === "list", asked, embedded, maximumObject: maximumElement };
  return {
    sql: typedRows(named([file]), columns, shown, options),
    rows: scan.rows[table] ?? 0,
    isOrdered: sortBy === undefined || scan.ordered.includes(table),
    unknown: Object.fromEntries(unknown.map(({ name, count }) => [name, count])),
  };
}

/** The part of an empty list, as the engine wrote the first one of the table: that takes the engine 5 ms, this 0.2 ms. */
function copyEmpty({ bytes, digest }: EmptyPart, file: string): Counts {
  fs.writeFileSync(file, bytes, { mode: fileMode });
  return { rows: 0, quarantined: 0, unknown_fields: {}, hasSecrets: false, reader: "typed", digest };
}

/** The fast reader. */
async function convertTyped(
  warehouse: Warehouse,
  { sql, isOrdered, unknown }: Approved,
  target: ConvertTarget,
): Promise<Counts> {
  const { table } = target;
  const { names } = preparedFor(warehouse, table);
  const sorted = `select ${names} from (select *, row_number() over () as ordinal from (${sql})) ${orderOf(table, "ordinal")}`;
  const rows = await writeRows(warehouse, isOrdered ? sql : sorted, target);
  const hasSecrets = Object.keys(unknown).some(looksSecret);
  return { rows, quarantined: 0, unknown_fields: unknown, hasSecrets, reader: "typed" };
}

/** Adds counts by name, sorted by name. */
function addCounts(...counts: Readonly<Record<string, number>>[]): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [name, n] of counts.flatMap((one) => Object.entries(one))) sums.set(name, (sums.get(name) ?? 0) + n);
  return Object.fromEntries([...sums].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
}

/**
 * The exact reader: checks every element; those that do not fit go to quarantine.
 * @param approved rows that are read elsewhere, with the number of them before each of the elements
 */
async function convertJudged(
  warehouse: Warehouse,
  bodies: Bodies,
  target: ConvertTarget,
  approved?: Approved & { readonly skipped: readonly number[] },
): Promise<Counts> {
  const { table, file, quarantine, isPseudonymised = false } = target;
  const stem = approved ? `${file}.mixed` : file;
  const attempts = [`${stem}.judged`, `${stem}.lines.judged`] as const;
  try {
    const judged = await judgeElements(warehouse, bodies, { table, attempts, skipped: approved?.skipped });
    const { columns, names } = preparedFor(warehouse, table);
    const own = columns
      .map(({ name, isAsked }) => `${isAsked ? `${askedValue(bodies.asked)} as ` : ""}${quoted(name)}`)
      .join(", ");
    const from = `from read_parquet(${text(judged)})`;
    const isWithheld = `regexp_matches(_json, ${text(secretNameInJson)}, 'i')`;
    const fitting = `_reason is null and not _repeats`;
    const [counts] = await warehouse.all(
      `select count(*) filter (where _reason is not null and ${isWithheld}) as withheld, count(*) filter (where ${fitting}) as good, count(_reason) as bad, count(*) filter (where _repeats) as repeated, count(*) filter (where len(_unknown) > 0) as extended ${from}`,
    );
    const unknown =
      Number(counts?.extended ?? 0) === 0
        ? []
        : await warehouse.all(
            `select field, count(*) as n from (select unnest(_unknown) as field ${from}) group by field order by field`,
          );
    const good = Number(counts?.good ?? 0);
    // A row's place: the number of approved rows up to it, then its number among the judged ones after those.
    const merged =
      approved &&
      `select ${names} from (
        select ${names}, row_number() over () as after, 0 as nth from (${approved.sql})
        union all
        select ${own}, ordinal - nth as after, nth from (select *, row_number() over (order by ordinal) as nth ${from}) where ${fitting}
      ) ${orderOf(table, "after", "nth")}`;
    const sorted = merged ?? `select ${own} ${from} where ${fitting} ${orderOf(table, "ordinal")}`;
    const sql = approved?.isOrdered && good === 0 ? approved.sql : sorted;
    const written = await writeRows(warehouse, sql, target);
    const [rows, quarantined] = [good + (approved?.rows ?? 0), Number(counts?.bad ?? 0)];
    if (quarantined > 0) {
      const rawText =
        isPseudonymised || secretFields(lakeTable(table).record).length > 0
          ? "null::varchar"
          : `case when not ${isWithheld} then _json end`;
      await warehouse.all(
        `copy (select ordinal - 1 as element, _reason as reason, ${rawText} as raw ${from} where _reason is not null order by ordinal) to ${text(quarantine)} (format json)`,
      );
    }
    if (written !== rows) throw new ExportError(`${file}: ${written} rows were written, but ${rows} fit the record.`);
    const counted = Object.fromEntries(unknown.map(({ field, n }) => [field as string, Number(n)]));
    const unknown_fields = addCounts(approved?.unknown ?? {}, counted);
    const repeated = bodies.whole === undefined ? {} : { repeated: Number(counts?.repeated ?? 0) };
    const hasSecrets = Number(counts?.withheld ?? 0) > 0 || Object.keys(unknown_fields).some(looksSecret);
    const reader = approved ? "mixed" : "judged";
    return { rows, quarantined, ...repeated, unknown_fields, hasSecrets, reader };
  } finally {
    for (const name of attempts) await fsp.rm(name, { force: true });
  }
}

/** The fast reader for what a scan has approved, and the exact one for the elements that it doubts. */
async function convertScanned(
  warehouse: Warehouse,
  bodies: Bodies,
  target: ConvertTarget,
): Promise<Counts | undefined> {
  const { file, table } = target;
  const [body = ""] = bodies.files;
  const { doubtful = [], isFlawed, elements } = bodies.scan ?? {};
  const [clean, odd] = doubtful.length === 0 ? [body, body] : [`${file}.clean`, `${file}.odd`];
  const prepared = preparedFor(warehouse, table);
  const approved = approvedOf(clean, bodies, table, prepared);
  if (approved === undefined) return undefined;
  if (elements === 0 && prepared.empty !== undefined) return copyEmpty(prepared.empty, file);
  bodies.write?.();
  if (doubtful.length === 0) {
    const counts = await convertTyped(warehouse, approved, target);
    if (elements === 0) prepared.empty = { bytes: await fsp.readFile(file), digest: await digestOfNew(file) };
    return counts;
  }
  try {
    await splitBody(body, doubtful, { clean, odd });
    const skipped = doubtful.map(({ rows }) => rows[table] ?? 0);
    const judged: Bodies = { files: [odd], form: "list", isFlawed };
    return await withEnoughMemory(warehouse, () => convertJudged(warehouse, judged, target, { ...approved, skipped }));
  } finally {
    for (const part of [clean, odd]) await fsp.rm(part, { force: true });
  }
}

/** Memory for bodies whose elements are megabytes long: the engine reads 2,048 of them at a time. */
const largeMemory = "2GB";

/** Runs a task, and once more with more memory if it ran out of it. */
async function withEnoughMemory<T>(warehouse: Warehouse, task: () => Promise<T>): Promise<T> {
  try {
    return await task();
  } catch (error) {
    if (!/^(The query failed: )?Out of Memory/.test(messageOf(error))) throw error;
    const [setting] = await warehouse.all("select current_setting('memory_limit') as memory");
    await warehouse.all(`set memory_limit = ${text(largeMemory)}`);
    return await task().finally(() => warehouse.all(`set memory_limit = ${text(setting?.memory as string)}`));
  }
}

/**
 * Converts bodies into one table: typed rows to a Parquet part (zstd, sorted), the rest to quarantine with the reason
 * and the raw text, which is left out where a record may hold secrets, and under pseudonyms. Memory is the sort's, which spills to disk, unless
 * elements are megabytes long.
 */
export async function convert(warehouse: Warehouse, bodies: Bodies, target: ConvertTarget): Promise<Converted> {
  const scanned = await convertScanned(warehouse, bodies, target).catch((error: unknown) => {
    // What the fast reader cannot read, the exact one can. Any other error is not about the body.
    if (!(error instanceof RecountError)) throw error;
    return undefined;
  });
  if (scanned === undefined) bodies.write?.();
  const { digest, ...counts } =
    scanned ?? (await withEnoughMemory(warehouse, () => convertJudged(warehouse, bodies, target)));
  return { ...counts, ...(digest ?? (await digestOfNew(target.file))) };
}
