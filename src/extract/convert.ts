import { createHash } from "node:crypto";
import { tableColumns, tableNames, type TableName } from "../contract/index.js";
import { ExportError, messageOf, fsp, makeDir } from "../platform/index.js";
import { digestOf, type Reader } from "../lake/index.js";
import { quoted, text, type Warehouse } from "../warehouse/index.js";
import { dirname } from "node:path";
import { writeElementLines } from "./element-lines.js";
import { recordRows } from "./record-sql.js";
import type { UnknownField } from "./scan/compiled.js";
import { embeddedIn } from "./scan/shape.js";
import type { Scan } from "./scan/list-scanner.js";
import { typedRows } from "./typed-sql.js";

/** Where the elements of a table come from. */
export interface ConvertSource {
  /** Files with response bodies; several where a table is made of single records. */
  readonly files: readonly string[];
  /** `list`: one array a file. `record`: one object a file. */
  readonly form: "list" | "record";
  /** Field that holds the list of elements, for a table embedded in another record. */
  readonly embedded?: string;
  /** What a walk over the body's bytes found, where there was one. */
  readonly scan?: Scan | undefined;
}

export interface ConvertTarget {
  readonly table: TableName;
  readonly file: string;
  /** Where rows that do not fit are written, as JSON lines; made only when there are any. */
  readonly quarantine: string;
  readonly secrets: readonly string[];
  /** Columns by which the rows are stored in order; rows equal in them keep the order of the list. */
  readonly sort?: readonly string[];
}

export interface Converted {
  readonly rows: number;
  readonly quarantined: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly unknown_fields: Record<string, number>;
  /** How the body was read: by types, where a scan vouched for every element, or each element judged. */
  readonly reader: Reader;
}

/** Raised when the same body becomes other rows. */
const converterVersion = 2;
const columnsNow = JSON.stringify([converterVersion, tableNames.map((table) => [table, tableColumns(table)])]);

/** Names how bodies become parts: parts made under another name are made anew. */
export const converterId = createHash("sha256").update(columnsNow).digest("hex").slice(0, 16);

/** Largest single record, in bytes. */
const maximumObject = 1 << 24;

const named = (files: readonly string[]) => `[${files.map(text).join(", ")}]`;

/** Elements as (ordinal, json, broken), read by the engine's own reader: fast, but one bad element refuses the body. */
function readWhole({ files, form, embedded }: ConvertSource): string {
  const format = form === "list" ? "array" : "unstructured";
  const whole = `select json from read_json_objects(${named(files)}, format = '${format}', maximum_object_size = ${maximumObject})`;
  return numbered(embedded, `select json, null::varchar as broken from (${whole})`);
}

/** The same from one element a line; an element that is not JSON arrives as its text in `broken`. */
function readLines(lines: readonly string[], { embedded }: ConvertSource): string {
  const read = `read_csv(${named(lines)}, columns = {'line': 'varchar'}, header = false, auto_detect = false, delim = '', quote = '', escape = '', comment = '', max_line_size = ${maximumObject})`;
  const judged = `select case when json_valid(line) then line else 'null' end::json as json, case when not json_valid(line) then trim(line) end as broken from ${read} where trim(line) <> ''`;
  return numbered(embedded, judged);
}

function numbered(embedded: string | undefined, elements: string): string {
  const inner = embedded
    ? `select unnest(json_extract(json, ${text(`$.${embedded}[*]`)})) as json, null::varchar as broken from (${elements})`
    : elements;
  return `select row_number() over () as ordinal, json, broken from (${inner})`;
}

async function stage(
  warehouse: Warehouse,
  source: ConvertSource,
  target: ConvertTarget,
  staged: string,
): Promise<void> {
  const elsewhere = embeddedIn(target.table);
  const left = elsewhere === undefined ? target.secrets : [...target.secrets, elsewhere.field];
  const copy = (elements: string) =>
    warehouse.all(
      `copy (${recordRows(elements, tableColumns(target.table), left)}) to ${text(staged)} (format parquet)`,
    );
  try {
    await copy(readWhole(source));
  } catch (error) {
    if (!/malformed json/i.test(messageOf(error)) || source.form !== "list") throw error;
    const lines = source.files.map((file) => `${file}.lines`);
    try {
      for (const [i, file] of source.files.entries()) await writeElementLines(file, lines[i] ?? "");
      await copy(readLines(lines, source));
    } finally {
      for (const file of lines) await fsp.rm(file, { force: true });
    }
  }
}

async function rowsOf(warehouse: Warehouse, file: string): Promise<number> {
  const [footer] = await warehouse.all(`select sum(num_rows) as n from parquet_file_metadata(${text(file)})`);
  return Number(footer?.n ?? 0);
}

const order = (sort: readonly string[]) => `order by ${[...sort.map(quoted), "ordinal"].join(", ")}`;

/** The fast way, for a body of which a scan vouches that the engine's typed reader is exact on it. */
async function convertTyped(
  warehouse: Warehouse,
  source: ConvertSource,
  target: ConvertTarget,
  unknown: readonly UnknownField[],
): Promise<void> {
  const { table, file, sort = [] } = target;
  const columns = tableColumns(table);
  const rows = typedRows(named(source.files), columns, unknown, { embedded: source.embedded, maximumObject });
  const isOrdered = sort.length === 0 || source.scan?.ordered.includes(table);
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  const sorted = `select ${names} from (select *, row_number() over () as ordinal from (${rows})) ${order(sort)}`;
  await warehouse.all(`copy (${isOrdered ? rows : sorted}) to ${text(file)} (format parquet, compression zstd)`);
}

/** The exact way: every element judged; what does not fit goes to quarantine. */
async function convertJudged(
  warehouse: Warehouse,
  source: ConvertSource,
  target: ConvertTarget,
): Promise<Pick<Converted, "rows" | "quarantined" | "unknown_fields">> {
  const staged = `${target.file}.staged`;
  try {
    await stage(warehouse, source, target, staged);
    const columns = tableColumns(target.table).map(({ name }) => quoted(name));
    const from = `from read_parquet(${text(staged)})`;
    const [counts] = await warehouse.all(
      `select count(*) filter (where _reason is null) as good, count(_reason) as bad ${from}`,
    );
    const unknown = await warehouse.all(
      `select field, count(*) as n from (select unnest(_unknown) as field ${from}) group by field order by field`,
    );
    await warehouse.all(
      `copy (select ${columns.join(", ")} ${from} where _reason is null ${order(target.sort ?? [])}) to ${text(target.file)} (format parquet, compression zstd)`,
    );
    const quarantined = Number(counts?.bad ?? 0);
    if (quarantined > 0) {
      await makeDir(dirname(target.quarantine));
      const rawText = target.secrets.length > 0 ? "null::varchar" : "_json";
      await warehouse.all(
        `copy (select ordinal - 1 as element, _reason as reason, ${rawText} as raw ${from} where _reason is not null order by ordinal) to ${text(target.quarantine)} (format json)`,
      );
    }
    const unknown_fields = Object.fromEntries(unknown.map(({ field, n }) => [field as string, Number(n)]));
    return { rows: Number(counts?.good ?? 0), quarantined, unknown_fields };
  } finally {
    await fsp.rm(staged, { force: true });
  }
}

/** The unknown fields of a table of which a scan vouches that it can be read by types; undefined where it does not. */
function vouchedFor(
  { form, scan }: ConvertSource,
  { table, secrets }: ConvertTarget,
): readonly UnknownField[] | undefined {
  return form === "list" && scan?.conforms === true && secrets.length === 0 ? scan.unknown[table] : undefined;
}

/**
 * One table from response bodies: typed rows to a Parquet part (zstd, in order), the rest to quarantine with the reason
 * and the raw text. Memory is the sort's, which spills to disk.
 */
export async function convert(warehouse: Warehouse, source: ConvertSource, target: ConvertTarget): Promise<Converted> {
  const { file } = target;
  await makeDir(dirname(file));
  const unknown = vouchedFor(source, target);
  const isTyped =
    unknown !== undefined &&
    (await convertTyped(warehouse, source, target, unknown).then(
      () => true,
      () => false,
    ));
  if (isTyped) {
    const unknown_fields = Object.fromEntries(unknown.map(({ name, count }) => [name, count]));
    return {
      rows: await rowsOf(warehouse, file),
      quarantined: 0,
      unknown_fields,
      reader: "typed",
      ...(await digestOf(file)),
    };
  }
  const judged = await convertJudged(warehouse, source, target);
  const found = await rowsOf(warehouse, file);
  if (found !== judged.rows)
    throw new ExportError(`${file}: the footer counts ${found} rows, ${judged.rows} were written.`);
  return { ...judged, reader: "judged", ...(await digestOf(file)) };
}
