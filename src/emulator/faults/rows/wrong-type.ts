import { Type } from "typebox";
import { defineFault, row } from "../fault.js";
import { fieldsOf, mapAt, withRaw } from "./edit.js";

/** A field with a value of another JSON type. */
export const wrongType = defineFault({
  kind: "wrong_type",
  fields: { ...row, field: Type.String() },
  rows: (rows, { row, field }) =>
    mapAt(rows, row, (text) => withRaw(text, field, JSON.stringify(ofAnotherType(fieldsOf(text)[field])))),
});

function ofAnotherType(value: unknown): unknown {
  if (typeof value === "number") return `about ${value}`;
  if (typeof value === "string") return { was: value };
  return typeof value === "boolean" ? "perhaps" : 7;
}
