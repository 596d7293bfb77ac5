import { embeddedIn, lakeTable, secretFields, tableColumns, type TableName } from "../../contract/index.js";
import { fsp, messageOf } from "../../platform/index.js";
import { text, type Warehouse } from "../../warehouse/index.js";
import { flawMark, maximumElement, writeElementLines, type Scan } from "../json/index.js";
import { judgedRows } from "./judged-sql.js";
import { sourceSql } from "./source-sql.js";

/** Response bodies that become one table. */
export interface Bodies {
  /** Several if a table is made of single records. */
  readonly files: readonly string[];
  /** Writes the files that are not there yet. Of the empty lists of a table, only the first needs its file. */
  readonly write?: (() => void) | undefined;
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

/** Largest line with one element: some blanks may be around it. */
const maximumLine = maximumElement + (1 << 22);

export const named = (files: readonly string[]) => `[${files.map(text).join(", ")}]`;

/** Elements as (ordinal, json, flaw, broken), from the engine's own reader: fast, but one bad element fails the body. */
function readWhole({ files, form }: Bodies, place: Place): string {
  const format = form === "list" ? "array" : "unstructured";
  const whole = `select json from read_json_objects(${named(files)}, format = '${format}', maximum_object_size = ${maximumElement})`;
  return numbered(place, `select json, null::varchar as flaw, null::varchar as broken from (${whole})`);
}

/**
 * The same from files with one element per line; one that the engine cannot read has its reason in `flaw` and its text in
 * `broken`. The buffer's size is stated because 16 lines, the default, do not fit the memory.
 */
function readLines(lines: readonly string[], place: Place): string {
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
  return numbered(place, judged);
}

/** Where rows are in a body. */
interface Place {
  /** The field of an element that holds them, if they are not the elements. */
  readonly field: string | undefined;
  /** For each element, the rows before it that are read elsewhere. */
  readonly skipped: readonly number[] | undefined;
}

function numbered({ field, skipped }: Place, elements: string): string {
  const after = skipped === undefined ? "0" : `list_extract([${skipped.join(", ")}]::bigint[], row_number() over ())`;
  const placed = `select json, flaw, broken, ${after} as skipped from (${elements})`;
  const inner = field
    ? `select unnest(json_extract(json, ${text(`$.${field}[*]`)})) as json, null::varchar as flaw, null::varchar as broken, skipped from (${placed})`
    : placed;
  return `select skipped + row_number() over () as ordinal, json, flaw, broken from (${inner})`;
}

/**
 * Writes every element to a Parquet file, each with the reason why it does not fit, if any.
 * @param attempts names of the file, one for each attempt, so that the engine never reads what a failed one left
 * @returns the name of the attempt that succeeded
 */
export async function judgeElements(
  warehouse: Warehouse,
  bodies: Bodies,
  {
    table,
    attempts: [first, second],
    skipped,
  }: { table: TableName; attempts: readonly [whole: string, lines: string]; skipped: Place["skipped"] },
): Promise<string> {
  const { record, embedded } = lakeTable(table);
  const place: Place = { field: embedded, skipped };
  const ignored = [...secretFields(record), ...[embeddedIn(table)?.field ?? []].flat()];
  const { asked, whole } = bodies;
  const source = asked === undefined || whole === undefined ? undefined : sourceSql(table, asked, whole);
  const copy = async (elements: string, judged: string) => {
    await warehouse.all(
      `copy (${judgedRows(elements, tableColumns(table), ignored, source)}) to ${text(judged)} (format parquet)`,
    );
    return judged;
  };
  if (bodies.form === "lines") return copy(readLines(bodies.files, place), second);
  if (!bodies.isFlawed)
    try {
      return await copy(readWhole(bodies, place), first);
    } catch (error) {
      if (!/malformed json|maximum_object_size/i.test(messageOf(error))) throw error;
    }
  const lines = bodies.files.map((file) => `${file}.lines`);
  try {
    for (const [i, file] of bodies.files.entries()) await writeElementLines(file, lines[i] ?? "");
    return await copy(readLines(lines, place), second);
  } finally {
    for (const file of lines) await fsp.rm(file, { force: true });
  }
}
