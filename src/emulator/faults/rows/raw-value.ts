import { Type } from "typebox";
import { defineFault, row } from "../fault.js";
import { mapAt, withRaw } from "./edit.js";

export const rawValue = defineFault({
  kind: "raw_value",
  fields: { ...row, field: Type.String(), text: Type.String({ description: "Sent as it is, valid or not." }) },
  rows: (rows, { row, field, text: raw }) => mapAt(rows, row, (text) => withRaw(text, field, raw)),
});
