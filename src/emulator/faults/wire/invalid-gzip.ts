import { Type } from "typebox";
import { count, defineFault } from "../fault.js";

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
