import { Type } from "typebox";
import { count, defineFault } from "../fault.js";

/** The connection is reset after a number of bytes, by default before the first. */
export const reset = defineFault({
  kind: "reset",
  fields: { after: Type.Optional(count) },
  wire: ({ body }, { after = 0 }) => ({ body: body.subarray(0, after), ending: "reset" }),
});
