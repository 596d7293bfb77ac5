import { defineFault, row } from "../fault.js";
import { mapAt } from "./edit.js";

export const doubleRow = defineFault({
  kind: "double_row",
  fields: row,
  rows: (rows, { row }) => mapAt(rows, row, (text) => `${text},${text}`),
});
