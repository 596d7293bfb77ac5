// The records of each kind of file, as tables of the engine.
import {
  codeOf,
  didYouMean,
  messageOf,
  sqlText as text,
  thousands,
  UsageError,
  readCsv,
  readFooters,
  readParquet,
} from "../platform/index.js";
import {
  keysIn,
  nestedIn,
  quoted,
  textAtPath,
  textOf,
  type JsonPath,
  type Warehouse,
} from "../warehouse/index.js";
import { delimiterOf, quoteOf, shownFile, type Screened, type SourceFile } from "./files.js";
import type { FileSet } from "./mapping.js";

export interface FileTable {
  readonly screened: Screened;
  /** SQL of the records, in their order. */
  readonly from: string;
  /** SQL for its text, null for an empty cell. @throws UsageError if there is no such column. */
  readonly column: (name: string, where: string) => string;
  readonly path: (name: string) => JsonPath | undefined;
  /** Of JSON the fields of all its elements. */
  readonly columns: readonly string[];
  /** Counted by other means than by reading them with the engine; null for JSON. */
  readonly records: number | null;
  /** SQL: why a record cannot be read at all; null if it can. */
  readonly flaw: string;
  /** SQL: number of the line that a record begins on, or of the record. */
  readonly line: string;
  /** SQL: where a record is, as `votes.csv, line 7`. */
  readonly place: string;
  /** SQL of what a query of the mapping sees. */
  readonly cells: string;
  /** SQL, for rows below the first; undefined if there are none. */
  readonly headers?: string | undefined;
  /** SQL of a text that only equal records share. */
  readonly whole: string;
  /** SQL of JSON or text. */
  readonly raw: string;
}

export type ElementsOf = (file: string, form: "list" | "lines") => Promise<string>;

const cellSql = (sql: string, { trim = false, missing = [] }: FileSet): string => {
  const whole = trim ? `trim(${sql})` : sql;
  const empty = ["", ...missing].map((one) => text(trim ? one.trim() : one));
  return empty.length === 1
    ? `nullif(${whole}, '')`
    : `case when ${whole} not in (${empty.join(", ")}) then ${whole} end`;
};

/** Of what `line` numbers. */
export const nounIn = ({ format }: SourceFile): string =>
  format === "json" || format === "parquet" ? "row" : "line";

const recordNumber = "row_number() over ()";

const placeSql = ({ path }: SourceFile, noun: string, line: string) =>
  `${text(`${path}, ${noun} `)} || (${line})`;

/** Of columns that a file does not have itself. */
const placeColumns = (line: string, path: string): Readonly<Record<string, string>> => ({
  line: `(${line})::varchar`,
  file: text(path),
});

/** @param textOfColumn SQL; without it the records are JSON. */
function cellReader(
  { source, columns, line }: Pick<FileTable, "columns" | "line"> & { source: SourceFile },
  options: FileSet,
  textOfColumn?: (name: string) => string,
): Pick<FileTable, "column" | "path"> {
  const known = new Set(columns);
  const places = placeColumns(line, source.path);
  const path = (name: string): JsonPath | undefined => {
    const names = name.split(".");
    if (textOfColumn === undefined)
      return name in places && !known.has(name) ? undefined : { json: "json", names };
    let depth = names.length;
    while (depth > 0 && !known.has(names.slice(0, depth).join("."))) depth--;
    if (depth === 0) return undefined;
    const column = names.slice(0, depth).join(".");
    const cell = cellSql(textOfColumn(column), options);
    return { json: nestedIn(cell), names: names.slice(depth), column, cell };
  };
  return {
    column(name, where) {
      const own = path(name);
      if (own !== undefined)
        return (own.names.length === 0 && own.cell) || cellSql(textAtPath(own), options);
      const place = options.sql === undefined && places[name];
      if (place) return place;
      throw new UsageError(
        `${where} names the column ${JSON.stringify(name)}, which ${shownFile(source, options)} ` +
          `lacks.${didYouMean(name, columns)} It has ` +
          `${columns.map((one) => JSON.stringify(one)).join(", ")}.`,
      );
    },
    path,
  };
}

const jsonObject = (columns: readonly string[], sqlOf: (name: string) => string) =>
  `json_object(${columns.map((name) => `${text(name)}, ${sqlOf(name)}`).join(", ")})::varchar`;

const hashOfCells = (columns: readonly string[], sqlOf: (name: string) => string) =>
  `hash(${[text(columns.join()), ...columns.map(sqlOf)].join(", ")})::varchar`;

/** Where records take several lines, or lines are blank, the engine is given the numbers. */
async function lineSql(
  warehouse: Warehouse,
  { source, lineOf, records }: Screened,
): Promise<string> {
  const before = lineOf(1) - 1;
  if (lineOf(records) === records + before) return `${recordNumber} + ${before}`;
  const name = `lines of ${source.path}`;
  const line = Int32Array.from({ length: records }, (_, i) => lineOf(i + 1));
  await warehouse.writeTable(name, { line: "integer" }, { line });
  await warehouse.all(
    `set variable ${quoted(name)} = (select list(line order by line) from ${quoted(name)})`,
  );
  return `getvariable(${text(name)})[${recordNumber}]`;
}

/** Every cell is its text. */
async function csvTable(
  warehouse: Warehouse,
  screened: Screened,
  options: FileSet,
): Promise<FileTable> {
  const { source, columns, isLines } = screened;
  const { file } = source;
  const places = new Map(columns.map((name, i) => [name, i]));
  const twice = columns.find((name, i) => places.get(name) !== i);
  if (twice !== undefined)
    throw new UsageError(
      `${file}, line 1: two columns are named ${JSON.stringify(twice)}. Rename one of them, or ` +
        "state header_rows: 0 if the first row has data.",
    );
  const types = columns.map((_, i) => `'c${i}': 'VARCHAR'`).join(", ");
  const delimiter = delimiterOf(source, options);
  const quote = text(quoteOf(options) ?? "");
  const headerRows = options.header_rows ?? 1;
  // By default the engine takes so large a buffer for long lines that one thread reads all.
  const buffer = isLines ? [`buffer_size = ${2 << 24}`] : [];
  // Nothing is guessed from the first rows, nor from the ending of the name.
  const read = readCsv(file, [
    `columns = {${types}}, header = ${headerRows > 0}, auto_detect = false, compression = 'none'`,
    `delim = ${text(delimiter)}, quote = ${quote}, escape = ${quote}, comment = '', nullstr = ''`,
    `skip = ${screened.lineOf(1 - headerRows) - 1}`,
    `strict_mode = true, null_padding = false, ignore_errors = false, max_line_size = ${1 << 24}`,
    ...buffer,
  ]);
  const place = (name: string) => quoted(`c${places.get(name)}`);
  const line = await lineSql(warehouse, screened);
  const reader = cellReader({ source, columns, line }, options, place);
  return {
    screened,
    line,
    place: placeSql(source, "line", line),
    cells: columns.map((name) => `${reader.column(name, "")} as ${quoted(name)}`).join(", "),
    from: headerRows <= 1 ? read : `(select * from ${read} offset ${headerRows - 1})`,
    headers: headerRows <= 1 ? undefined : `(select * from ${read} limit ${headerRows - 1})`,
    ...reader,
    columns,
    records: screened.records,
    flaw: "null::varchar",
    whole: hashOfCells(columns, place),
    raw: jsonObject(columns, place),
  };
}

/** At most: votes between two items take more than a bit each. */
const rowsPerByte = 100;

/** Numbers are the shortest text that identifies them, instants in UTC, nested values JSON. */
async function parquetTable(
  warehouse: Warehouse,
  screened: Screened,
  options: FileSet,
): Promise<FileTable> {
  const { source, bytes } = screened;
  const { file } = source;
  const read = readParquet(file);
  const { placed } = source;
  const damaged = (error: unknown) => {
    throw new UsageError(`${file}: not a Parquet file, or damaged.`, { cause: error });
  };
  const described = await warehouse.all(`describe select * from ${read}`).catch(damaged);
  const [footer] = await warehouse
    .all(`select sum(num_rows)::double as n from ${readFooters(file)}`)
    .catch(damaged);
  const rows = Number(footer?.n);
  if (rows > rowsPerByte * bytes)
    throw new UsageError(
      `${file}: states ${thousands(rows)} rows in ${thousands(bytes)} bytes, but a file has ` +
        `at most ${rowsPerByte} rows a byte. Check where it is from.`,
    );
  const types = new Map(
    described.map((row) => [textOf(row, "column_name"), textOf(row, "column_type")]),
  );
  const columns = [...types.keys()];
  const asText = (name: string) => {
    const type = types.get(name) ?? "";
    if (type === "FLOAT") return `${quoted(name)}::double::varchar`;
    return /[[(]/.test(type) && !type.startsWith("DECIMAL")
      ? `to_json(${quoted(name)})::varchar`
      : `${quoted(name)}::varchar`;
  };
  const noun = options.sql === undefined ? nounIn(source) : "record";
  const own = placeSql(source, noun, recordNumber);
  const from = placed?.path === undefined ? "file" : text(placed.path);
  return {
    screened,
    from: read,
    line: recordNumber,
    place: placed === undefined ? own : `coalesce(${from} || ', ${placed.noun} ' || line, ${own})`,
    cells: "*",
    ...cellReader({ source, columns, line: recordNumber }, options, asText),
    columns,
    records: rows,
    flaw: "null::varchar",
    whole: hashOfCells(columns, quoted),
    raw: jsonObject(columns, asText),
  };
}

/** A column is a path of names. */
async function jsonTable(
  warehouse: Warehouse,
  screened: Screened,
  options: FileSet,
  elementsOf: ElementsOf,
): Promise<FileTable> {
  const { source } = screened;
  const { file, format } = source;
  const form = format === "json" ? "list" : "lines";
  const elements = await elementsOf(file, form).catch((error: unknown) => {
    // A full disk says nothing about the file.
    if (codeOf(error) !== undefined) throw error;
    const says = messageOf(error);
    const lines = says.includes("outside its one")
      ? " If each line is a record, name the file .jsonl, or state format: jsonl."
      : "";
    throw new UsageError(`${file}: not JSON, or truncated: ${says}${lines}`, { cause: error });
  });
  const columns = await keysIn(warehouse, `(${elements})`, "json", true);
  return {
    screened,
    from: `(select json, flaw, coalesce(broken, json::varchar) as raw from (${elements}))`,
    ...cellReader({ source, columns, line: recordNumber }, options),
    columns,
    records: null,
    line: recordNumber,
    place: placeSql(source, nounIn(source), recordNumber),
    cells: "case when flaw is null then json end as record",
    flaw: "flaw",
    whole: "hash(json::varchar)::varchar",
    raw: "raw",
  };
}

export function fileTableOf(
  warehouse: Warehouse,
  screened: Screened,
  options: FileSet,
  elementsOf: ElementsOf,
): Promise<FileTable> {
  const { format } = screened.source;
  if (format === "parquet") return parquetTable(warehouse, screened, options);
  if (format === "json" || format === "jsonl")
    return jsonTable(warehouse, screened, options, elementsOf);
  return csvTable(warehouse, screened, options);
}
