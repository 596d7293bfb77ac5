import { Type } from "typebox";
import { text } from "../../http/outgoing.js";
import { defineFault } from "../fault.js";

/** Any text with status 200 and the content type of JSON. */
export const body = defineFault({
  kind: "body",
  fields: { text: Type.String({ description: "Sent as it is, valid or not." }) },
  response: ({ text: own }) => text("application/json", own),
});
