import { json } from "../../http/outgoing.js";
import { defineFault } from "../fault.js";

export const emptyList = defineFault({
  kind: "empty_list",
  fields: {},
  response: () => json(200, []),
});
