// The records of each kind of file, as tables of the engine.
import {
  codeOf,
  didYouMean,
  sqlText as text,
  thousands,
  UsageError,
  readCsv,
  readFooters,
  readParquet,
} from "../platform/index.js";
import {
  jsonAt,
  keysIn,
  membersSql,
  nestedIn,
  quoted,
  textAtPath,
  textOf,
  type JsonPath,
  type Warehouse,
} from "../warehouse/index.js";
import { delimiterOf, type Screened, type SourceFile } from "./files.js";
import type { FileSet } from "./mapping.js";

export interface FileTable {
  readonly screened: Screened;
  /** SQL of the records, in their order. */
  readonly from: string;
  /** SQL for its text, null for an empty cell. @throws UsageError if there is no such column. */
  readonly column: (name: string, where: string) => string;
  /** Undefined for a place, or if there is no such column. */
  readonly path: (name: string) => JsonPath | undefined;
  /** Of JSON the fields of all its elements. */
  readonly columns: readonly string[];
  /** Counted by other means than by reading them with the engine; null for JSON. */
  readonly records: number | null;
  /** SQL: why a record cannot be read at all; null if it can. */
  readonly flaw: string;
  /** SQL: the record has nothing at the `rows` of its file. */
  readonly isBare: string;
  /** SQL, for rows below the first; undefined if there are none. */
  readonly headers?: string | undefined;
  /** SQL of a text that only equal records share. */
  readonly whole: string;
  /** SQL of JSON or text. */
  readonly raw: string;
  /** Line, row or element. */
  readonly noun: string;
}

type ElementsOf = (file: string, form: "list" | "lines") => Promise<string>;

const cellSql = (sql: string, { trim = false, missing = [] }: FileSet): string => {
  const whole = trim ? `trim(${sql})` : sql;
  const empty = ["", ...missing].map((one) => text(trim ? one.trim() : one));
  return empty.length === 1
    ? `nullif(${whole}, '')`
    : `case when ${whole} not in (${empty.join(", ")}) then ${whole} end`;
};

/** From 0. */
const placeSql = "(row_number() over () - 1)::varchar";

/** Of columns, paths into cells of JSON, and `#` for the place of the record. */
function cellReader(
  { source: { file }, columns }: { source: SourceFile; columns: readonly string[] },
  options: FileSet,
  textOfColumn: (name: string) => string,
): Pick<FileTable, "column" | "path"> {
  const known = new Set(columns);
  const path = (name: string) => {
    const names = name.split(".");
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
        return own.names.length === 0 ? own.cell : cellSql(textAtPath(own), options);
      if (name === "#") return placeSql;
      throw new UsageError(
        `${where} names the column ${JSON.stringify(name)}, which ${file} ` +
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

/** Every cell is its text. */
function csvTable(screened: Screened, options: FileSet): FileTable {
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
  const headerRows = options.header_rows ?? 1;
  // By default the engine takes so large a buffer for long lines that one thread reads all.
  const buffer = isLines ? [`buffer_size = ${2 << 24}`] : [];
  // Nothing is guessed from the first rows, nor from the ending of the name.
  const read = readCsv(file, [
    `columns = {${types}}, header = ${headerRows > 0}, auto_detect = false, compression = 'none'`,
    `delim = ${text(delimiter)}, quote = '"', escape = '"', comment = '', nullstr = ''`,
    `strict_mode = true, null_padding = false, ignore_errors = false, max_line_size = ${1 << 24}`,
    ...buffer,
  ]);
  const place = (name: string) => quoted(`c${places.get(name)}`);
  return {
    screened,
    from: headerRows <= 1 ? read : `(select * from ${read} offset ${headerRows - 1})`,
    headers: headerRows <= 1 ? undefined : `(select * from ${read} limit ${headerRows - 1})`,
    ...cellReader({ source, columns }, options, place),
    columns,
    records: screened.records,
    flaw: "null::varchar",
    isBare: "false",
    whole: hashOfCells(columns, place),
    raw: jsonObject(columns, place),
    noun: "line",
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
  return {
    screened,
    from: read,
    ...cellReader({ source, columns }, options, asText),
    columns,
    records: rows,
    flaw: "null::varchar",
    isBare: "false",
    whole: hashOfCells(columns, quoted),
    raw: jsonObject(columns, asText),
    noun: "row",
  };
}

/**
 * A column is a path of names; `#` is the place or name of a member: of `annotations.result`,
 * `annotations.result.#`.
 */
async function jsonTable(
  warehouse: Warehouse,
  screened: Screened,
  options: FileSet,
  elementsOf: ElementsOf,
): Promise<FileTable> {
  const { file, format } = screened.source;
  const form = format === "json" ? "list" : "lines";
  const elements = await elementsOf(file, form).catch((error: unknown) => {
    // A full disk says nothing about the file.
    if (codeOf(error) !== undefined) throw error;
    throw new UsageError(
      `${file}: not JSON, or truncated: ${error instanceof Error ? error.message : ""}`,
      {
        cause: error,
      },
    );
  });
  const levels = (options.rows ?? []).map((path) => path.split("."));
  let from =
    "select json as j0, hash(json::varchar) as whole, null::varchar as key0, flaw, " +
    `coalesce(broken, json::varchar) as raw from (${elements})`;
  const depthOf = (names: readonly string[], below: number) => {
    const nested = levels.slice(0, below).map((level, i) => ({ level, depth: i + 1 }));
    const holder = nested.findLast(({ level }) => level.every((name, i) => name === names[i]));
    return {
      json: `j${holder?.depth ?? 0}`,
      depth: holder?.depth ?? 0,
      names: names.slice(holder?.level.length ?? 0),
    };
  };
  levels.forEach((level, i) => {
    const depth = i + 1;
    const own = jsonAt(depthOf(level, i));
    const members = `case when flaw is null then ${membersSql(own)} end`;
    const isOdd = `flaw is null and members is null and json_type(${own}) <> 'NULL'`;
    const says = text(`rows: ${level.join(".")} is neither a list nor an object. Leave rows out.`);
    from =
      `select * exclude (member, members) replace (case when ${isOdd} then ${says} else flaw end ` +
      `as flaw), member.json as j${depth}, member.key as key${depth} from (select *, unnest(case ` +
      "when len(members) > 0 then members else [{'key': null, 'json': null}] end) as member from " +
      `(select *, ${members} as members from (${from})))`;
  });
  const columns = await keysIn(warehouse, `(${elements})`, "json", true);
  /** Of `list.#` the list. */
  const pathOf = (name: string) => {
    const names = name.split(".");
    const own = depthOf(names, levels.length);
    if (own.names.at(-1) !== "#") return own;
    return own.names.length === 1 ? undefined : depthOf(names.slice(0, -1), levels.length - 1);
  };
  return {
    screened,
    from: `(${from})`,
    column(name) {
      const path = pathOf(name);
      const isPlace = name === "#" || name.endsWith(".#");
      if (path === undefined)
        return levels.length === 0
          ? placeSql
          : cellSql(`key${depthOf(name.split("."), levels.length).depth}`, options);
      if (!isPlace) return cellSql(textAtPath(path), options);
      // The member of another list that has the place of the row.
      const member = `json_extract_string(${jsonAt(path)}, '$[' || key${levels.length} || ']')`;
      return cellSql(member, options);
    },
    path: pathOf,
    columns,
    records: null,
    flaw: "flaw",
    isBare: levels.length === 0 ? "false" : `(flaw is null and j${levels.length} is null)`,
    whole: `hash(whole${levels.map((_, i) => `, key${i + 1}`).join("")})::varchar`,
    raw: levels.length === 0 ? "raw" : `coalesce(j${levels.length}::varchar, raw)`,
    noun: form === "lines" && levels.length === 0 ? "line" : "row",
  };
}

/** @throws UsageError. */
export function fileTableOf(
  warehouse: Warehouse,
  screened: Screened,
  options: FileSet,
  elementsOf: ElementsOf,
): Promise<FileTable> {
  const { format, file } = screened.source;
  if (options.rows !== undefined && !format.startsWith("json"))
    throw new UsageError(
      `${file}: files.rows is for JSON only, and the file is ${format}. Leave it out; a ` +
        "path such as answers.0.score goes into cells of JSON.",
    );
  if (format === "parquet") return parquetTable(warehouse, screened, options);
  if (format === "json" || format === "jsonl")
    return jsonTable(warehouse, screened, options, elementsOf);
  return Promise.resolve(csvTable(screened, options));
}
