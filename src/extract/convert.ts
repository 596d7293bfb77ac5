import { tableColumns, type TableName } from "../contract/index.js";
import { ExportError, messageOf } from "../errors.js";
import { fsp, makeDir } from "../files.js";
import { digestOf } from "../lake/index.js";
import { quoted, text, type Warehouse } from "../warehouse/index.js";
import { dirname } from "node:path";
import { writeElementLines } from "./element-lines.js";
import { recordRows } from "./record-sql.js";

/** Where the elements of a table come from. */
export interface ConvertSource {
  /** Files with response bodies; several where a table is made of single records. */
  readonly files: readonly string[];
  /** `list`: one array a file. `record`: one object a file. */
  readonly form: "list" | "record";
  /** Field that holds the list of elements, for a table embedded in another record. */
  readonly embedded?: string;
}

export interface ConvertTarget {
  readonly table: TableName;
  readonly file: string;
  /** Where rows that do not fit are written, as JSON lines; made only when there are any. */
  readonly quarantine: string;
  readonly secrets: readonly string[];
  /** Rows as the part stores them; by default all, sorted by every column. */
  readonly sort?: readonly string[];
}

export interface Converted {
  readonly rows: number;
  readonly quarantined: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly unknown_fields: Record<string, number>;
}

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

async function stage(warehouse: Warehouse, source: ConvertSource, target: ConvertTarget, staged: string): Promise<void> {
  const copy = (elements: string) =>
    warehouse.all(`copy (${recordRows(elements, tableColumns(target.table), target.secrets)}) to ${text(staged)} (format parquet)`);
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

/**
 * One table from response bodies: typed rows to a Parquet part (zstd, sorted), the rest to quarantine with the reason
 * and the raw text. Memory is the sort's, which spills to disk.
 */
export async function convert(warehouse: Warehouse, source: ConvertSource, target: ConvertTarget): Promise<Converted> {
  await makeDir(dirname(target.file));
  const staged = `${target.file}.staged`;
  try {
    await stage(warehouse, source, target, staged);
    const columns = tableColumns(target.table).map(({ name }) => quoted(name));
    const from = `from read_parquet(${text(staged)})`;
    const [counts] = await warehouse.all(`select count(*) filter (where _reason is null) as good, count(_reason) as bad ${from}`);
    const unknown = await warehouse.all(`select field, count(*) as n from (select unnest(_unknown) as field ${from}) group by field order by field`);
    const sorted = (target.sort ?? []).map(quoted).join(", ");
    await warehouse.all(
      `copy (select ${columns.join(", ")} ${from} where _reason is null ${sorted ? `order by ${sorted}, ordinal` : "order by ordinal"}) to ${text(target.file)} (format parquet, compression zstd)`,
    );
    const quarantined = Number(counts?.bad ?? 0);
    if (quarantined > 0) {
      await makeDir(dirname(target.quarantine));
      const rawText = target.secrets.length > 0 ? "null::varchar" : "_json";
      await warehouse.all(
        `copy (select ordinal - 1 as element, _reason as reason, ${rawText} as raw ${from} where _reason is not null order by ordinal) to ${text(target.quarantine)} (format json)`,
      );
    }
    const [footer] = await warehouse.all(`select sum(num_rows) as n from parquet_file_metadata(${text(target.file)})`);
    const rows = Number(counts?.good ?? 0);
    if (Number(footer?.n ?? 0) !== rows) {
      throw new ExportError(`${target.file}: the footer counts ${Number(footer?.n ?? 0)} rows, ${rows} were written.`);
    }
    const unknown_fields = Object.fromEntries(unknown.map(({ field, n }) => [field as string, Number(n)]));
    return { rows, quarantined, unknown_fields, ...(await digestOf(target.file)) };
  } finally {
    await fsp.rm(staged, { force: true });
  }
}
