import type { Column } from "../../contract/index.js";
import { quoted, text } from "../../warehouse/index.js";
import { fieldOf, zoned } from "./judged-sql.js";
import type { UnknownField } from "../json/index.js";

interface TypedRead {
  /** False if a file holds one record instead of a list. */
  readonly isList: boolean;
  /** The identifier that was asked for, if the request was about one. */
  readonly asked: string | undefined;
  /** Field that holds the list of elements, for a table embedded in another record. */
  readonly embedded: string | undefined;
  /** Largest single record, in bytes. */
  readonly maximumObject: number;
}

/** The type as which the engine reads a field: exact for values that a scan has accepted. */
const readAs = ({ type }: Column) => (type === "TIMESTAMPTZ" || type === "VARCHAR[]" ? "VARCHAR" : type);

function valueOf(column: Column): string {
  const field = quoted(fieldOf(column));
  if (column.type === "JSON") return `${field}::varchar`;
  // The scan approves no list of text, only that there is none.
  if (column.type === "VARCHAR[]") return "null::varchar[]";
  if (column.type !== "TIMESTAMPTZ") return field;
  return `cast(case when ${field} is null or regexp_matches(${field}, ${text(zoned)}) then ${field} else error('not an instant') end as timestamptz)`;
}

/** The identifier that was asked for, as a value of the column for it. */
export const askedValue = (asked: string | undefined) => `${asked === undefined ? "null" : text(asked)}::varchar`;

/** The unknown fields of a row as one JSON object, as the exact reader writes it; NULL when there are none. */
function metaOf(unknown: readonly UnknownField[]): string {
  if (unknown.length === 0) return "null::varchar";
  const each = unknown.map(({ name, isEverywhere }) => {
    const value = isEverywhere ? `coalesce(${quoted(name)}, 'null')` : quoted(name);
    return `${text(`${JSON.stringify(name)}:`)} || ${value}`;
  });
  return `('{' || nullif(concat_ws(',', ${each.join(", ")}), '') || '}')::json::varchar`;
}

/**
 * Rows of lists, or single records, whose elements all fit their record, as the contract's columns, from the engine's typed reader.
 * Fails on text that is not an instant rather than guess.
 */
export function typedRows(
  files: string,
  columns: readonly Column[],
  unknown: readonly UnknownField[],
  { isList, asked, embedded, maximumObject }: TypedRead,
): string {
  const own = columns.filter(({ name, isAsked }) => name !== "_meta" && !isAsked);
  const fields = [
    ...own.map((column) => [fieldOf(column), readAs(column)] as const),
    ...unknown.map(({ name }) => [name, "JSON"] as const),
  ];
  const shape =
    embedded === undefined
      ? `{${fields.map(([name, type]) => `${text(name)}: ${text(type)}`).join(", ")}}`
      : `{${text(embedded)}: ${text(`STRUCT(${fields.map(([name, type]) => `${quoted(name)} ${type}`).join(", ")})[]`)}}`;
  // Without "records" the engine reads elements of one column five times as slowly, to find out whether they are objects.
  const read = `select * from read_json(${files}, format = '${isList ? "array" : "unstructured"}', records = true, columns = ${shape}, maximum_object_size = ${maximumObject})`;
  const elements = embedded === undefined ? read : `select unnest(${quoted(embedded)}, max_depth := 2) from (${read})`;
  const values = columns.map((column) => {
    if (column.isAsked) return `${askedValue(asked)} as ${quoted(column.name)}`;
    const value = column.name === "_meta" ? metaOf(unknown) : valueOf(column);
    return `${value} as ${quoted(column.name)}`;
  });
  return `select ${values.join(", ")} from (${elements})`;
}
