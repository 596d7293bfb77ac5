import { reportedExperimentId, secretName, type Column } from "../../contract/index.js";
import { quoted, text } from "../../warehouse/index.js";
import type { SourceSql } from "./source-sql.js";

/** The field of the record that fills a column. */
export const fieldOf = ({ name }: Column) => (name === reportedExperimentId ? "experiment_id" : name);

const raw = (column: Column) => `fields.${quoted(fieldOf(column))}`;

/** An instant with its zone. */
export const zoned = "^\\d{4}-\\d\\d-\\d\\d[Tt ]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?([Zz]|[+-]\\d\\d(:?\\d\\d)?)$";

const integer = "^-?(0|[1-9]\\d*)$";

/** The typed value of a column from the JSON text of its field; NULL if it does not fit. */
function valueOf(column: Column): string {
  const json = raw(column);
  switch (column.type) {
    case "VARCHAR":
      return `${json} ->> '$'`;
    case "BIGINT":
      return `case when regexp_matches(${json}::varchar, ${text(integer)}) then try_cast(${json}::varchar as bigint) end`;
    case "DOUBLE":
      return `case when json_type(${json}) in ('BIGINT', 'UBIGINT', 'DOUBLE', 'HUGEINT') then try_cast(${json}::varchar as double) end`;
    case "BOOLEAN":
      return `case ${json}::varchar when 'true' then true when 'false' then false end`;
    case "TIMESTAMPTZ":
      return `case when regexp_matches(${json} ->> '$', ${text(zoned)}) then try_cast(${json} ->> '$' as timestamptz) end`;
    case "VARCHAR[]":
      return `try_cast(${json} as varchar[])`;
    case "JSON":
      return `${json}::varchar`;
  }
}

/** Says why a field does not fit its column; NULL if it does. A missing or null field fits as NULL. */
function misfit(column: Column): string {
  const field = fieldOf(column);
  const say = (what: string) => text(`${field} is not ${what}`);
  switch (column.type) {
    case "VARCHAR": {
      const accepted = column.wasInteger ? "('VARCHAR', 'UBIGINT', 'BIGINT')" : "('VARCHAR')";
      return `when ${raw(column)} is not null and json_type(${raw(column)}) not in ${accepted} then ${say("text")}`;
    }
    case "BIGINT":
      return `when ${raw(column)} is not null and ${quoted(column.name)} is null then ${say("an integer of 64 bits")}`;
    case "DOUBLE":
      return `when ${raw(column)} is not null and (${quoted(column.name)} is null or not isfinite(${quoted(column.name)})) then ${say("a finite number")}`;
    case "BOOLEAN":
      return `when ${raw(column)} is not null and ${quoted(column.name)} is null then ${say("true or false")}`;
    case "TIMESTAMPTZ":
      return `when ${raw(column)} is not null and ${quoted(column.name)} is null then ${say("an instant with a zone")}`;
    case "VARCHAR[]":
      return `when ${raw(column)} is not null and (json_type(${raw(column)}) <> 'ARRAY' or ${quoted(column.name)} is null) then ${say("a list of text")}`;
    case "JSON":
      return "";
  }
}

const list = (names: readonly string[]) => `[${names.map(text).join(", ")}]::varchar[]`;

/**
 * Rows from `elements` (ordinal, json, flaw, broken): typed columns, `_meta` with the unknown fields sorted by name, without
 * those that look like secrets, and
 * `_reason` when the element does not fit the record (then `_json` has its text and the columns are meaningless).
 * `_repeats` is true for a fitting row that the whole list has too, in an answer for one source.
 * @param ignored fields that are neither columns nor unknown: secrets, and lists that have a table of their own
 * @param source how to judge rows of `typed` in the answer for one source
 */
export function judgedRows(
  elements: string,
  columns: readonly Column[],
  ignored: readonly string[],
  source?: SourceSql,
): string {
  const own = columns.filter(({ name, isAsked }) => name !== "_meta" && !isAsked);
  const shape = JSON.stringify(Object.fromEntries(own.map((column) => [fieldOf(column), "JSON"])));
  const known = list([...own.map(fieldOf), ...ignored]);
  const pointer = "'/' || replace(replace(key, '~', '~0'), '/', '~1')";
  const shown = `list_filter(unknown, lambda key: not regexp_matches(key, ${text(secretName)}, 'i'))`;
  return `
    with elements as (${elements}),
    parsed as (
      select ordinal, json, flaw, broken, json_keys(json) as keys, json_transform(json, ${text(shape)}) as fields
      from elements
    ),
    typed as (
      select *, list_sort(list_filter(keys, lambda key: not list_contains(${known}, key))) as unknown,
        ${own.map((column) => `${valueOf(column)} as ${quoted(column.name)}`).join(",\n        ")}
      from parsed
    ),
    extended as (
    select *, case when len(${shown}) > 0 then ('{' || array_to_string(list_transform(${shown},
        lambda key: to_json(key)::varchar || ':' || json_extract(json, ${pointer})::varchar), ',') || '}')::json::varchar end as _meta
    from typed
    ),
    compared as (select *, ${source?.repeats ?? "false"} as _repeats from extended),
    judged as (
    select ordinal, ${own.map(({ name }) => quoted(name)).join(", ")}, _meta, _repeats, unknown as _unknown,
      case
        when flaw is not null then flaw
        when json_type(json) <> 'OBJECT' then 'not an object'
        when len(keys) <> len(list_distinct(keys)) then 'a field occurs twice'
        ${[...own.map(misfit), source?.misfit ?? ""].filter(Boolean).join("\n        ")}
      end as _reason,
      json, broken
    from compared
    )
    select * exclude (json, broken, _repeats), _repeats and _reason is null as _repeats, case when _reason is not null then coalesce(broken, json::varchar) end as _json
    from judged`;
}
