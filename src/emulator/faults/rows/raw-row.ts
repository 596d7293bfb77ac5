import { Type } from "typebox";
import { defineFault, row } from "../fault.js";
import { mapAt } from "./edit.js";

export const rawRow = defineFault({
  kind: "raw_row",
  fields: { ...row, text: Type.String({ description: "Sent as it is, valid or not." }) },
  rows: (rows, { row, text }) => mapAt(rows, row, () => text),
});
