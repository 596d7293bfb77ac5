import { Type } from "typebox";
import { defineFault, framing, row } from "../fault.js";

/** The connection ends after a row of a list. */
export const cutAfterRow = defineFault({
  kind: "cut_after_row",
  fields: {
    ...row,
    framing,
    end: Type.Union([Type.Literal("]"), Type.Literal(","), Type.Literal("")], {
      description: "Last byte sent; `]` leaves valid JSON.",
    }),
  },
  wire({ body, isList }, { row, framing, end }) {
    if (!isList) return { framing, ending: "truncated" };
    const rows = (JSON.parse(body.toString()) as unknown[]).slice(0, row + 1).map((one) => JSON.stringify(one));
    return { body: Buffer.from(`[${rows.join(",")}${end}`), framing, ending: "truncated" };
  },
});
