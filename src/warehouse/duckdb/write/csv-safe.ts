import type { DuckDBResult } from "@duckdb/node-api";
import { quoted, text } from "../../source-views.js";
import { DuckDBTypeId } from "../api.js";
import { numericTypes } from "../numeric-types.js";

/** A spreadsheet takes text that begins like this for a formula; the full-width forms count in East Asian locales. */
const formula = "^[=+\\-@\\t\\r\\n＝＋－＠]";

/** Text that is a number is safe, whatever its sign. */
const number = "^[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$";

/** Types whose values are never text. */
const safe = new Set<DuckDBTypeId>([
  ...numericTypes,
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_TZ,
]);

/** The columns of a query with an apostrophe before each cell and name that a spreadsheet would run as a formula. */
export function safeCells(query: DuckDBResult): string {
  const cells = query.columnNames().map((name, i) => {
    const cell = quoted(name);
    const shown = quoted(new RegExp(formula).test(name) ? `'${name}` : name);
    if (safe.has(query.columnTypeId(i))) return `${cell} as ${shown}`;
    const value = `cast(${cell} as varchar)`;
    const isFormula = `regexp_matches(${value}, ${text(formula)}) and not regexp_matches(${value}, ${text(number)})`;
    return `case when ${isFormula} then '''' || ${value} else ${value} end as ${shown}`;
  });
  return cells.join(", ");
}
