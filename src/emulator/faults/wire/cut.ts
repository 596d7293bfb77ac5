import { count, defineFault, framing } from "../fault.js";

/** The connection ends after a number of bytes. */
export const cut = defineFault({
  kind: "cut",
  fields: { after: count, framing },
  wire: ({ body }, { after, framing }) => ({ body: body.subarray(0, after), framing, ending: "truncated" }),
});
