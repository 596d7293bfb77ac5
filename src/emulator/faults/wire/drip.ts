import { Type } from "typebox";
import { count, defineFault } from "../fault.js";

/** A few bytes at a time. */
export const drip = defineFault({
  kind: "drip",
  fields: { bytes: Type.Integer({ minimum: 1 }), every_ms: count },
  wire: (_, pace) => ({ pace }),
});
