import { json } from "../../http/outgoing.js";
import { defineFault } from "../fault.js";

/** An error that claims to be a success. */
export const errorObject = defineFault({
  kind: "error_object",
  fields: {},
  response: () => json(200, { error: "upstream failed" }),
});
