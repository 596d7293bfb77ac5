import { defineFault } from "../fault.js";

export const gzip = defineFault({
  kind: "gzip",
  fields: {},
  isCompressed: true,
  wire: () => ({}),
});
