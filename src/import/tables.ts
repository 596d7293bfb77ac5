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
import { quoted, textOf, type Warehouse } from "../warehouse/index.js";
import { delimiterOf, type Screened } from "./files.js";
import type { FileSet } from "./mapping.js";

export interface FileTable {
  readonly screened: Screened;
  /** SQL of the records, in their order. */
  readonly from: string;
  /** SQL for its text, null for an empty cell. @throws UsageError if there is no such column. */
  readonly column: (name: string, where: string) => string;
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
  /** SQL of a value that only equal records share. */
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

const stepInto = (name: string) =>
  /^\d+$/.test(name) ? `[${name}]` : `."${name.replaceAll('"', '\\"')}"`;

/** In JSON. */
export const isNested = (cell: string) =>
  `case when left(ltrim(${cell}), 1) in ('{', '[') then json_valid(${cell}) else false end`;

/** Such a cell is the first of its own, if it is no list. */
const isFirst = (names: readonly string[]) => !names.some((name) => Number(name) > 0);

/** A number is a place in a list, from 0. */
const inCell = (cell: string, names: readonly string[]) =>
  `case when ${isNested(cell)} then json_extract_string(${cell}, ` +
  `${text(`$${names.map(stepInto).join("")}`)}) ${isFirst(names) ? `else ${cell} ` : ""}end`;

/**
 * Also of paths into cells of JSON, with `#` for the place of the record; an unknown name is
 * refused with the nearest known one.
 */
function columnLookup(file: string, columns: readonly string[], sqlOf: (name: string) => string) {
  const known = new Set(columns);
  return (name: string, where: string) => {
    if (known.has(name)) return sqlOf(name);
    if (name === "#") return placeSql;
    const names = name.split(".");
    const depth = names.findLastIndex((_, i) => known.has(names.slice(0, i).join(".")));
    if (depth > 0) return inCell(sqlOf(names.slice(0, depth).join(".")), names.slice(depth));
    throw new UsageError(
      `${where} names the column ${JSON.stringify(name)}, which ${file} ` +
        `lacks.${didYouMean(name, columns)} It has ` +
        `${columns.map((one) => JSON.stringify(one)).join(", ")}.`,
    );
  };
}

const jsonObject = (columns: readonly string[], sqlOf: (name: string) => string) =>
  `json_object(${columns.map((name) => `${text(name)}, ${sqlOf(name)}`).join(", ")})::varchar`;

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
    column: columnLookup(file, columns, (name) => cellSql(place(name), options)),
    columns,
    records: screened.records,
    flaw: "null::varchar",
    isBare: "false",
    whole: `hash(${columns.map((_, i) => `c${i}`).join(", ")})`,
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
    column: columnLookup(file, columns, (name) => cellSql(asText(name), options)),
    columns,
    records: rows,
    flaw: "null::varchar",
    isBare: "false",
    whole: `hash(${columns.map(quoted).join(", ")})`,
    raw: jsonObject(columns, asText),
    noun: "row",
  };
}

const jsonPath = (names: readonly string[]) =>
  text(`$${names.map((name) => `."${name.replaceAll('"', '\\"')}"`).join("")}`);

/** With their places (from 0) or names. */
const membersSql = (json: string) =>
  `case json_type(${json}) when 'ARRAY' then list_transform(json_extract(${json}, '$[*]'), ` +
  "lambda one, i: {'key': (i - 1)::varchar, 'json': one}) when 'OBJECT' then " +
  `list_transform(json_keys(${json}), lambda name: {'key': name, 'json': ` +
  `json_extract(${json}, '/' || replace(replace(name, '~', '~0'), '/', '~1'))}) end`;

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
    "select json as j0, hash(json::varchar) as whole, null::varchar as key0, coalesce(flaw, " +
    "case when json_type(json) = 'OBJECT' and len(json_keys(json)) <> " +
    "len(list_distinct(json_keys(json))) then 'a field occurs twice' end) as flaw, " +
    `coalesce(broken, json::varchar) as raw from (${elements})`;
  const depthOf = (names: readonly string[], below: number) => {
    const nested = levels.slice(0, below).map((level, i) => ({ level, depth: i + 1 }));
    const holder = nested.findLast(({ level }) => level.every((name, i) => name === names[i]));
    return {
      json: `j${holder?.depth ?? 0}`,
      depth: holder?.depth ?? 0,
      rest: names.slice(holder?.level.length ?? 0),
    };
  };
  /** One of the names may have dots itself. */
  const inside = (json: string, rest: readonly string[], operator: "->" | "->>") => {
    if (rest.length === 0) return `${json} ${operator} '$'`;
    const paths = (rest.length > 1 ? [[rest.join(".")], rest] : [rest]).map(jsonPath);
    // A number may be a place in a list.
    const hasPlace = rest.some((name) => /^\d+$/.test(name));
    const places = hasPlace ? [text(`$${rest.map(stepInto).join("")}`)] : [];
    const all = [...paths, ...places].map((path) => `${json} ${operator} ${path}`);
    const own = `${json} ${operator} ${jsonPath(rest.slice(0, 1))}`;
    const alone =
      hasPlace && isFirst(rest) ? [`case when not ${isNested(own)} then ${own} end`] : [];
    return `coalesce(${[...all, ...alone].join(", ")})`;
  };
  levels.forEach((level, i) => {
    const { json, rest } = depthOf(level, i);
    const depth = i + 1;
    const own = `(${inside(json, rest, "->")})`;
    const members = `case when flaw is null then ${membersSql(own)} end`;
    const isOdd = `flaw is null and members is null and json_type(${own}) <> 'NULL'`;
    const says = text(`rows: ${level.join(".")} is neither a list nor an object. Leave rows out.`);
    from =
      `select * exclude (member, members) replace (case when ${isOdd} then ${says} else flaw end ` +
      `as flaw), member.json as j${depth}, member.key as key${depth} from (select *, unnest(case ` +
      "when len(members) > 0 then members else [{'key': null, 'json': null}] end) as member from " +
      `(select *, ${members} as members from (${from})))`;
  });
  const found = await warehouse.all(
    "select key from (select unnest(json_keys(json)) as key, " +
      "unnest(range(len(json_keys(json)))) as place, n from (select json, row_number() over () " +
      `as n from (${elements}) where json_type(json) = 'OBJECT')) group by key order by min([n, ` +
      "place])",
  );
  const columns = found.map((row) => textOf(row, "key"));
  const known = columnLookup(file, columns, (name) => name);
  return {
    screened,
    from: `(${from})`,
    column(name, where) {
      const names = name.split(".");
      const isKnown =
        columns.some((one) => name === one || name.startsWith(`${one}.`)) || name === "#";
      if (!isKnown && columns.length > 0) known(names[0] ?? "", where);
      const { json, depth, rest } = depthOf(names, levels.length);
      if (rest.at(-1) !== "#") return cellSql(inside(json, rest, "->>"), options);
      if (rest.length === 1)
        return levels.length === 0 ? placeSql : cellSql(`key${depth}`, options);
      // The member of another list that has the place of the row.
      const beside = depthOf(names.slice(0, -1), levels.length - 1);
      return cellSql(
        `json_extract_string(${inside(beside.json, beside.rest, "->")}, '$[' || ` +
          `key${levels.length} || ']')`,
        options,
      );
    },
    columns,
    records: null,
    flaw: "flaw",
    isBare: levels.length === 0 ? "false" : `(flaw is null and j${levels.length} is null)`,
    whole: `hash(whole${levels.map((_, i) => `, key${i + 1}`).join("")})`,
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
