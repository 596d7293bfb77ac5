import { createHash } from "node:crypto";
import {
  embeddedIn,
  lakeTable,
  looksSecret,
  secretFields,
  secretNameInJson,
  tableColumns,
  tableNames,
  type TableName,
} from "../../contract/index.js";
import { ExportError, fsp, messageOf } from "../../platform/index.js";
import { digestOf, type Digest, type Reader } from "../../lake/index.js";
import { quoted, text, type Warehouse } from "../../warehouse/index.js";
import { flawMark, maximumElement, writeElementLines, type Scan, type UnknownField } from "../json/index.js";
import { judgedRows } from "./judged-sql.js";
import { sourceSql } from "./source-sql.js";
import { typedRows } from "./typed-sql.js";

/** Response bodies that become one table. */
export interface Bodies {
  /** Several if a table is made of single records. */
  readonly files: readonly string[];
  /** `list`: one array a file. `record`: one object a file. `lines`: one element a line, as `writeElementLines` writes. */
  readonly form: "list" | "record" | "lines";
  /** True when the engine cannot read some body as it is, as its count found out. */
  readonly isFlawed?: boolean | undefined;
  /** The result of scanning the body, if it was scanned. */
  readonly scan?: Scan | undefined;
  /** The identifier that was asked for, if the request was about one. */
  readonly asked?: string | undefined;
  /** Parquet file with the whole list, for the published numbers of one source. */
  readonly whole?: string | undefined;
}

export interface ConvertTarget {
  readonly table: TableName;
  readonly file: string;
  /** File for rows that do not fit, as JSON lines; created only when there are any. */
  readonly quarantine: string;
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
const converterVersion = 3;
const columnsNow = JSON.stringify([converterVersion, tableNames.map((table) => [table, tableColumns(table)])]);

/** Identifies how bodies become parts: parts of another converter are not reused. */
export const converterId = createHash("sha256").update(columnsNow).digest("hex").slice(0, 16);

/** Largest line with one element: some blanks may be around it. */
const maximumLine = maximumElement + (1 << 22);

const named = (files: readonly string[]) => `[${files.map(text).join(", ")}]`;

/** Elements as (ordinal, json, flaw, broken), from the engine's own reader: fast, but one bad element fails the body. */
function readWhole({ files, form }: Bodies, field: string | undefined): string {
  const format = form === "list" ? "array" : "unstructured";
  const whole = `select json from read_json_objects(${named(files)}, format = '${format}', maximum_object_size = ${maximumElement})`;
  return numbered(field, `select json, null::varchar as flaw, null::varchar as broken from (${whole})`);
}

/**
 * The same from files with one element per line; one that the engine cannot read has its reason in `flaw` and its text in
 * `broken`. The buffer's size is stated because 16 lines, the default, do not fit the memory.
 */
function readLines(lines: readonly string[], field: string | undefined): string {
  const read = `read_csv(${named(lines)}, columns = {'line': 'varchar'}, header = false, auto_detect = false, delim = '', quote = '', escape = '', comment = '', max_line_size = ${maximumLine}, buffer_size = ${2 * maximumLine})`;
  const judged = `
    select json,
      case when json is null then coalesce(described ->> 'reason', 'not valid JSON') end as flaw,
      case when json is null then coalesce(described ->> 'raw', trim(line)) end as broken
    from (
      select line, try_cast(line as json) as json,
        case when starts_with(line, ${text(flawMark)}) then try_cast(line[2:] as json) end as described
      from ${read}
      where trim(line) <> ''
    )`;
  return numbered(field, judged);
}

function numbered(field: string | undefined, elements: string): string {
  const inner = field
    ? `select unnest(json_extract(json, ${text(`$.${field}[*]`)})) as json, null::varchar as flaw, null::varchar as broken from (${elements})`
    : elements;
  return `select row_number() over () as ordinal, json, flaw, broken from (${inner})`;
}

/**
 * Writes every element to a Parquet file, each with the reason why it does not fit, if any.
 * @param names of the file, one for each attempt, so that the engine never reads what a failed one left
 * @returns the name of the attempt that succeeded
 */
async function judgeElements(
  warehouse: Warehouse,
  bodies: Bodies,
  table: TableName,
  names: readonly [whole: string, lines: string],
): Promise<string> {
  const { record, embedded } = lakeTable(table);
  const ignored = [...secretFields(record), ...[embeddedIn(table)?.field ?? []].flat()];
  const { asked, whole } = bodies;
  const source = asked === undefined || whole === undefined ? undefined : sourceSql(table, asked, whole);
  const copy = async (elements: string, judged: string) => {
    await warehouse.all(
      `copy (${judgedRows(elements, tableColumns(table), ignored, source)}) to ${text(judged)} (format parquet)`,
    );
    return judged;
  };
  if (bodies.form === "lines") return copy(readLines(bodies.files, embedded), names[1]);
  if (!bodies.isFlawed)
    try {
      return await copy(readWhole(bodies, embedded), names[0]);
    } catch (error) {
      if (!/malformed json|maximum_object_size/i.test(messageOf(error))) throw error;
    }
  const lines = bodies.files.map((file) => `${file}.lines`);
  try {
    for (const [i, file] of bodies.files.entries()) await writeElementLines(file, lines[i] ?? "");
    return await copy(readLines(lines, embedded), names[1]);
  } finally {
    for (const file of lines) await fsp.rm(file, { force: true });
  }
}

async function rowsIn(warehouse: Warehouse, file: string): Promise<number> {
  const [footer] = await warehouse.all(`select sum(num_rows) as n from parquet_file_metadata(${text(file)})`);
  return Number(footer?.n ?? 0);
}

const orderOf = (table: TableName) =>
  `order by ${[...(lakeTable(table).sortBy ?? []).map(quoted), "ordinal"].join(", ")}`;

type Counts = Omit<Converted, keyof Digest>;

/** The fast reader, for a body that a scan has approved: the engine's typed reader is exact for it. */
async function convertTyped(
  warehouse: Warehouse,
  { files, scan }: Bodies,
  { table, file }: ConvertTarget,
  unknown: readonly UnknownField[],
): Promise<Counts> {
  const { embedded, sortBy } = lakeTable(table);
  const columns = tableColumns(table);
  const shown = unknown.filter(({ name }) => !looksSecret(name));
  const rows = typedRows(named(files), columns, shown, { embedded, maximumObject: maximumElement });
  const isOrdered = sortBy === undefined || scan?.ordered.includes(table);
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  const sorted = `select ${names} from (select *, row_number() over () as ordinal from (${rows})) ${orderOf(table)}`;
  await warehouse.all(`copy (${isOrdered ? rows : sorted}) to ${text(file)} (format parquet, compression zstd)`);
  const unknown_fields = Object.fromEntries(unknown.map(({ name, count }) => [name, count]));
  return {
    rows: await rowsIn(warehouse, file),
    quarantined: 0,
    unknown_fields,
    hasSecrets: shown.length < unknown.length,
    reader: "typed",
  };
}

/** The exact reader: checks every element; those that do not fit go to quarantine. */
async function convertJudged(
  warehouse: Warehouse,
  bodies: Bodies,
  { table, file, quarantine }: ConvertTarget,
): Promise<Counts> {
  const names = [`${file}.judged`, `${file}.lines.judged`] as const;
  try {
    const judged = await judgeElements(warehouse, bodies, table, names);
    const asked = `${bodies.asked === undefined ? "null" : text(bodies.asked)}::varchar`;
    const columns = tableColumns(table).map(({ name, isAsked }) => `${isAsked ? `${asked} as ` : ""}${quoted(name)}`);
    const from = `from read_parquet(${text(judged)})`;
    const isWithheld = `regexp_matches(_json, ${text(secretNameInJson)}, 'i')`;
    const [counts] = await warehouse.all(
      `select count(*) filter (where _reason is not null and ${isWithheld}) as withheld, count(*) filter (where _reason is null and not _repeats) as good, count(_reason) as bad, count(*) filter (where _repeats) as repeated ${from}`,
    );
    const unknown = await warehouse.all(
      `select field, count(*) as n from (select unnest(_unknown) as field ${from}) group by field order by field`,
    );
    await warehouse.all(
      `copy (select ${columns.join(", ")} ${from} where _reason is null and not _repeats ${orderOf(table)}) to ${text(file)} (format parquet, compression zstd)`,
    );
    const [rows, quarantined] = [Number(counts?.good ?? 0), Number(counts?.bad ?? 0)];
    if (quarantined > 0) {
      const rawText =
        secretFields(lakeTable(table).record).length > 0
          ? "null::varchar"
          : `case when not ${isWithheld} then _json end`;
      await warehouse.all(
        `copy (select ordinal - 1 as element, _reason as reason, ${rawText} as raw ${from} where _reason is not null order by ordinal) to ${text(quarantine)} (format json)`,
      );
    }
    const found = await rowsIn(warehouse, file);
    if (found !== rows) throw new ExportError(`${file}: the footer counts ${found} rows, but ${rows} were written.`);
    const unknown_fields = Object.fromEntries(unknown.map(({ field, n }) => [field as string, Number(n)]));
    const repeated = bodies.whole === undefined ? {} : { repeated: Number(counts?.repeated ?? 0) };
    const hasSecrets = Number(counts?.withheld ?? 0) > 0 || Object.keys(unknown_fields).some(looksSecret);
    return { rows, quarantined, ...repeated, unknown_fields, hasSecrets, reader: "judged" };
  } finally {
    for (const name of names) await fsp.rm(name, { force: true });
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
 * and the raw text, which is left out where a record may hold secrets. Memory is the sort's, which spills to disk, unless
 * elements are megabytes long.
 */
export async function convert(warehouse: Warehouse, bodies: Bodies, target: ConvertTarget): Promise<Converted> {
  const { table, file } = target;
  const { form, scan } = bodies;
  const isVouched = form === "list" && scan?.conforms === true && secretFields(lakeTable(table).record).length === 0;
  const unknown = isVouched ? scan.unknown[table] : undefined;
  const typed = unknown && (await convertTyped(warehouse, bodies, target, unknown).catch(() => undefined));
  const counts = typed ?? (await withEnoughMemory(warehouse, () => convertJudged(warehouse, bodies, target)));
  return { ...counts, ...(await digestOf(file)) };
}
