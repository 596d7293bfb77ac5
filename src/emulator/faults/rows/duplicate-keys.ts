import { defineFault, row } from "../fault.js";
import { mapAt } from "./edit.js";

/** Repeats the row's first key, with null as its first value. */
export const duplicateKeys = defineFault({
  kind: "duplicate_keys",
  fields: row,
  rows: (rows, { row }) => mapAt(rows, row, (text) => text.replace(/^\{("[^"]+":)/, "{$1null,$1")),
});
