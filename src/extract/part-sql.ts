// The SQL that turns the elements of a body into rows of a table.
import {
  reportedExperimentId,
  secretName,
  sourceTables,
  tableColumns,
  type Column,
  type NamingColumn,
  type TableName,
} from "../contract/index.js";
import { readJson, readParquet } from "../platform/index.js";
import { quoted, text, zonePattern } from "../warehouse/index.js";
import type { UnknownField } from "./scan-record.js";

const fieldNameOf = ({ name }: Column) => (name === reportedExperimentId ? "experiment_id" : name);

/** A column that says what a row is of, and the value that was asked for. */
export interface AskedFor extends NamingColumn {
  readonly value: string;
}

interface TypedRead {
  /** False: the file holds one record. */
  readonly isList: boolean;
  readonly asked: string | undefined;
  /** Field that holds the list, for a table embedded in another record. */
  readonly embedded: string | undefined;
  readonly maximumObject: number;
  readonly named: readonly AskedFor[];
}

const readAs = ({ type }: Column) =>
  type === "TIMESTAMPTZ" || type === "VARCHAR[]" ? "VARCHAR" : type;

function typedValue(column: Column): string {
  const field = quoted(fieldNameOf(column));
  if (column.type === "JSON") return `${field}::varchar`;
  // The scan approves no list of text, only that there is none.
  if (column.type === "VARCHAR[]") return "null::varchar[]";
  if (column.type !== "TIMESTAMPTZ") return field;
  return (
    `cast(case when ${field} is null or regexp_matches(${field}, ${text(zoned)}) then ` +
    `${field} else error('not an instant') end as timestamptz)`
  );
}

export const askedValue = (asked: string | undefined) =>
  `${asked === undefined ? "null" : text(asked)}::varchar`;

/** One JSON object, as the exact reader writes it; NULL when there are none. */
function metaOf(unknown: readonly UnknownField[]): string {
  if (unknown.length === 0) return "null::varchar";
  const each = unknown.map(({ name, isEverywhere }) => {
    const value = isEverywhere ? `coalesce(${quoted(name)}, 'null')` : quoted(name);
    return `${text(`${JSON.stringify(name)}:`)} || ${value}`;
  });
  return `('{' || nullif(concat_ws(',', ${each.join(", ")}), '') || '}')::json::varchar`;
}

/**
 * The engine's typed reader, for elements that all fit. Fails on text that is not an instant rather
 * than guess, and on a row of something else than was asked for.
 */
export function typedRows(
  file: string,
  columns: readonly Column[],
  unknown: readonly UnknownField[],
  { isList, asked, embedded, maximumObject, named }: TypedRead,
): string {
  const own = columns.filter(({ name, isAsked }) => name !== "_meta" && !isAsked);
  const fields = [
    ...own.map((column) => [fieldNameOf(column), readAs(column)] as const),
    ...unknown.map(({ name }) => [name, "JSON"] as const),
  ];
  const shape =
    embedded === undefined
      ? `{${fields.map(([name, type]) => `${text(name)}: ${text(type)}`).join(", ")}}`
      : `{${text(embedded)}: ` +
        `${text(
          `STRUCT(${fields.map(([name, type]) => `${quoted(name)} ${type}`).join(", ")})[]`,
        )}}`;
  // Otherwise the engine reads elements of one column five times as slowly, to find out what they
  // are.
  const options = [
    `format = '${isList ? "array" : "unstructured"}'`,
    "records = true",
    `columns = ${shape}`,
    `maximum_object_size = ${maximumObject}`,
  ];
  const read = `select * from ${readJson(file, options)}`;
  const elements =
    embedded === undefined
      ? read
      : `select unnest(${quoted(embedded)}, max_depth := 2) from (${read})`;
  const values = columns.map((column) => {
    if (column.isAsked) return `${askedValue(asked)} as ${quoted(column.name)}`;
    const value = column.name === "_meta" ? metaOf(unknown) : typedValue(column);
    const asks = named.find((one) => one.column === column.name);
    const held = asks
      ? `case when ${isAskedFor(value, asks)} then ${value} else error('not what was asked ` +
        "for') end"
      : value;
    return `${held} as ${quoted(column.name)}`;
  });
  return `select ${values.join(", ")} from (${elements})`;
}

/** Only the identifier of a single record must be there. */
const isAskedFor = (value: string, { isOwn, value: asked }: AskedFor) =>
  `coalesce(${value} = ${text(asked)}, ${!isOwn})`;

const strayed = (asks: AskedFor) =>
  `when not ${isAskedFor(quoted(asks.column), asks)} then '${asks.field} is ' || ` +
  `coalesce(${quoted(asks.column)}, 'missing') || ', but ' || ${text(asks.value)} || ' was ` +
  "asked for'";

interface SourceSql {
  readonly repeats: string;
  readonly misfit: string;
}

/**
 * @param id the source that was asked for @param whole Parquet file with the whole list, which a
 * service that ignores the filter sends again
 */
export function sourceSql(table: TableName, id: string, whole: string): SourceSql {
  const names = tableColumns(table).flatMap(({ name, isAsked }) => (isAsked ? [] : [quoted(name)]));
  const isSame = names
    .map((name) => `whole.${name} is not distinct from extended.${name}`)
    .join(" and ");
  const named =
    "list_distinct(list_filter(list_transform(string_split(coalesce(source, ''), ','), lambda " +
    "one: trim(one)), lambda one: one <> ''))";
  const fields = Object.values(sourceTables).filter((field) => names.includes(quoted(field)));
  const isNamed = [
    `${named} = [${text(id)}]`,
    ...fields.map((field) => `coalesce(${quoted(field)} = ${text(id)}, false)`),
  ];
  return {
    repeats: `exists (select 1 from ${readParquet(whole)} as whole where ${isSame})`,
    misfit:
      `when not _repeats and len(${named}) > 0 and not (${isNamed.join(" or ")}) then 'source ` +
      `is ' || source || ', but ' || ${text(id)} || ' was asked for'`,
  };
}

const raw = (column: Column) => `fields.${quoted(fieldNameOf(column))}`;

const zoned = `^\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?${zonePattern}`;
const withoutSeconds = `^(\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d)${zonePattern}`;

/** In either case, perhaps without seconds; NULL if the text names no instant. */
function instantOf(json: string): string {
  const full = `regexp_replace(upper(${json} ->> '$'), ${text(withoutSeconds)}, '\\1:00\\2')`;
  return (
    `case when regexp_matches(${full}, ${text(zoned)}) then try_cast(${full} as timestamptz) ` +
    "end"
  );
}

const integer = "^-?(0|[1-9]\\d*)$";

function judgedValue(column: Column): string {
  const json = raw(column);
  switch (column.type) {
    case "VARCHAR":
      return `${json} ->> '$'`;
    case "BIGINT":
      return (
        `case when regexp_matches(${json}::varchar, ${text(integer)}) then ` +
        `try_cast(${json}::varchar as bigint) end`
      );
    case "DOUBLE":
      return (
        `case when json_type(${json}) in ('BIGINT', 'UBIGINT', 'DOUBLE', 'HUGEINT') then ` +
        `try_cast(${json}::varchar as double) end`
      );
    case "BOOLEAN":
      return `case ${json}::varchar when 'true' then true when 'false' then false end`;
    case "TIMESTAMPTZ":
      return instantOf(json);
    case "VARCHAR[]":
      return `try_cast(${json} as varchar[])`;
    case "JSON":
      return `${json}::varchar`;
  }
}

/** NULL if it fits, as a missing or null field does. */
function misfitSql(column: Column): string {
  const field = fieldNameOf(column);
  const say = (what: string) => text(`${field} is not ${what}`);
  switch (column.type) {
    case "VARCHAR": {
      const accepted = column.wasInteger ? "('VARCHAR', 'UBIGINT', 'BIGINT')" : "('VARCHAR')";
      return (
        `when ${raw(column)} is not null and json_type(${raw(column)}) not in ${accepted} ` +
        `then ${say("text")}`
      );
    }
    case "BIGINT":
      return (
        `when ${raw(column)} is not null and ${quoted(column.name)} is null then ` +
        say("an integer of 64 bits")
      );
    case "DOUBLE":
      return (
        `when ${raw(column)} is not null and (${quoted(column.name)} is null or not ` +
        `isfinite(${quoted(column.name)})) then ${say("a finite number")}`
      );
    case "BOOLEAN":
      return (
        `when ${raw(column)} is not null and ${quoted(column.name)} is null then ` +
        say("true or false")
      );
    case "TIMESTAMPTZ":
      return (
        `when ${raw(column)} is not null and ${quoted(column.name)} is null then ` +
        say("an instant with a zone")
      );
    case "VARCHAR[]":
      return (
        `when ${raw(column)} is not null and (json_type(${raw(column)}) <> 'ARRAY' or ` +
        `${quoted(column.name)} is null) then ${say("a list of text")}`
      );
    case "JSON":
      return "";
  }
}

const textListSql = (names: readonly string[]) => `[${names.map(text).join(", ")}]::varchar[]`;

interface JudgedRead {
  readonly embedded: string | undefined;
  /** Neither columns nor unknown: secrets, and lists that have a table of their own. */
  readonly ignored: readonly string[];
  readonly source: SourceSql | undefined;
  readonly named: readonly AskedFor[];
}

/**
 * Rows from `elements` (json, flaw, broken): `ordinal`, typed columns, `_meta` with the unknown
 * fields sorted by name, without those that look like secrets, and `_reason` when the element does
 * not fit (then `_json` has its text and the columns are meaningless). `_repeats`: the whole list
 * has the fitting row too.
 */
export function judgedRows(
  elements: string,
  columns: readonly Column[],
  { embedded, ignored, source, named }: JudgedRead,
): string {
  const own = columns.filter(({ name, isAsked }) => name !== "_meta" && !isAsked);
  const shape = JSON.stringify(
    Object.fromEntries(own.map((column) => [fieldNameOf(column), "JSON"])),
  );
  const names = own.map(({ name }) => quoted(name)).join(", ");
  const known = textListSql([...own.map(fieldNameOf), ...ignored]);
  const pointer = "'/' || replace(replace(key, '~', '~0'), '/', '~1')";
  const isSecret = `regexp_matches(key, ${text(secretName)}, 'i')`;
  const shown = `list_filter(unknown, lambda key: not ${isSecret})`;
  const rows =
    embedded === undefined
      ? elements
      : `select unnest(json_extract(json, ${text(`$.${embedded}[*]`)})) as json, ` +
        `null::varchar as flaw, null::varchar as broken from (${elements})`;
  return `
    with elements as (select row_number() over () as ordinal, json, flaw, broken from (${rows})),
    parsed as (
      select
        ordinal, json, flaw, broken, json_keys(json) as keys,
        json_transform(json, ${text(shape)}) as fields
      from elements
    ),
    typed as (
      select
        *, list_sort(list_filter(keys, lambda key: not list_contains(${known}, key))) as unknown,
        ${own
          .map((column) => `${judgedValue(column)} as ${quoted(column.name)}`)
          .join(",\n        ")}
      from parsed
    ),
    extended as (
      select *, case when len(${shown}) > 0 then ('{' || array_to_string(list_transform(${shown},
        lambda key: to_json(key)::varchar || ':' || json_extract(json, ${pointer})::varchar
      ), ',') || '}')::json::varchar end as _meta
      from typed
    ),
    compared as (select *, ${source?.repeats ?? "false"} as _repeats from extended),
    judged as (
    select ordinal, ${names}, _meta, _repeats, unknown as _unknown,
      case
        when flaw is not null then flaw
        when json_type(json) <> 'OBJECT' then 'not an object'
        ${[...own.map(misfitSql), ...named.map(strayed), source?.misfit ?? ""]
          .filter(Boolean)
          .join("\n        ")}
      end as _reason,
      json, broken
    from compared
    )
    select
      * exclude (json, broken, _repeats),
      _repeats and _reason is null as _repeats,
      case when _reason is not null then coalesce(broken, json::varchar) end as _json
    from judged`;
}
