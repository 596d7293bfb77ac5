import { count, defineFault } from "../fault.js";
import { slice } from "./edit.js";

/** Only the first rows, as valid JSON. */
export const shortList = defineFault({
  kind: "short_list",
  fields: { rows: count },
  rows: (all, { rows }) => slice(all, 0, rows),
});
