import { Type } from "typebox";
import { count, defineFault } from "../fault.js";
import { slice } from "./edit.js";

/** Data that change between two reads: each read loses more rows from the start. */
export const changing = defineFault({
  kind: "changing",
  fields: { rows: Type.Optional(count) },
  rows: (all, { rows = 1 }, { applied }) => slice(all, applied * rows, Infinity),
});
