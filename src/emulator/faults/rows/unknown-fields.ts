import { Type } from "typebox";
import { count, defineFault } from "../fault.js";
import { mapFrom } from "./edit.js";

export const unknownFields = defineFault({
  kind: "unknown_fields",
  fields: { from_row: Type.Optional(count) },
  rows: (rows, { from_row = 0 }) =>
    mapFrom(rows, from_row, (text) => text.replace(/\}$/, ',"x_confidence":0.5,"x_labels":["new","kept"]}')),
});
