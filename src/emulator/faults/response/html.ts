import { text } from "../../http/outgoing.js";
import { defineFault } from "../fault.js";

/** The page of a proxy, with status 200. */
export const html = defineFault({
  kind: "html",
  fields: {},
  response: () =>
    text("text/html; charset=utf-8", "<!doctype html><title>Maintenance</title><h1>We will be right back</h1>"),
});
