import { Type } from "../../platform/index.js";
import { count, defineFault, framing, row } from "./fault.js";

/** A few bytes at a time. */
export const drip = defineFault({
  kind: "drip",
  fields: { bytes: Type.Integer({ minimum: 1 }), every_ms: count },
  wire: (_, pace) => ({ pace }),
});

/** The connection ends after a number of bytes. */
export const cut = defineFault({
  kind: "cut",
  fields: { after: count, framing },
  wire: ({ body }, { after, framing }) => ({ body: body.subarray(0, after), framing, ending: "truncated" }),
});

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

/** The connection is reset after a number of bytes, by default before the first. */
export const reset = defineFault({
  kind: "reset",
  fields: { after: Type.Optional(count) },
  wire: ({ body }, { after = 0 }) => ({ body: body.subarray(0, after), ending: "reset" }),
});

export const gzip = defineFault({
  kind: "gzip",
  fields: {},
  isCompressed: true,
  wire: () => ({}),
});

/** A compressed body that is truncated after `cut` bytes, or else has one inverted byte in the middle. */
export const invalidGzip = defineFault({
  kind: "invalid_gzip",
  fields: { cut: Type.Optional(count) },
  isCompressed: true,
  wire({ body }, { cut }) {
    if (cut !== undefined) return { body: body.subarray(0, cut) };
    const corrupted = Buffer.from(body);
    const middle = Math.floor(corrupted.length / 2);
    corrupted[middle] = (corrupted[middle] ?? 0) ^ 0xff;
    return { body: corrupted };
  },
});
