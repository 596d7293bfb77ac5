import type { Column } from "../contract/index.js";
import { quoted, text } from "../warehouse/index.js";
import { fieldOf, zoned } from "./record-sql.js";

/** The type under which the engine's reader takes a field: exact for values that a scan has seen. */
const readAs = ({ type }: Column) => (type === "TIMESTAMPTZ" || type === "VARCHAR[]" ? "VARCHAR" : type);

function valueOf(column: Column): string {
  const field = quoted(fieldOf(column));
  if (column.type !== "TIMESTAMPTZ") return field;
  return `cast(case when ${field} is null or regexp_matches(${field}, ${text(zoned)}) then ${field} else error('not an instant') end as timestamptz)`;
}

/**
 * Rows of lists of which every element fits its record, as the contract's columns; the engine's typed reader does the work.
 * Fails, rather than guess, where an instant turns out to be none.
 */
export function typedRows(files: string, columns: readonly Column[], embedded: string | undefined, maximumObject: number): string {
  const own = columns.filter(({ name }) => name !== "_meta");
  const fields = own.map((column) => [fieldOf(column), readAs(column)] as const);
  const shape =
    embedded === undefined
      ? `{${fields.map(([name, type]) => `${text(name)}: ${text(type)}`).join(", ")}}`
      : `{${text(embedded)}: ${text(`STRUCT(${fields.map(([name, type]) => `${quoted(name)} ${type}`).join(", ")})[]`)}}`;
  const read = `select * from read_json(${files}, format = 'array', columns = ${shape}, maximum_object_size = ${maximumObject})`;
  const elements = embedded === undefined ? read : `select unnest(${quoted(embedded)}, max_depth := 2) from (${read})`;
  return `select ${own.map((column) => `${valueOf(column)} as ${quoted(column.name)}`).join(", ")}, null::json as _meta from (${elements})`;
}
