import { Type } from "../../platform/index.js";
import { json, text } from "../http/outgoing.js";
import { defineFault } from "./fault.js";

export const status = defineFault({
  kind: "status",
  fields: {
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    retry_after: Type.Optional(Type.String({ description: "Sent as it is: seconds, a date, or nonsense." })),
    retry_after_date_s: Type.Optional(Type.Integer({ description: "Seconds from now, sent as a date." })),
  },
  response({ status, retry_after, retry_after_date_s: seconds }, { clock }) {
    const date = seconds === undefined ? undefined : new Date(clock.now().getTime() + 1000 * seconds).toUTCString();
    const retryAfter = retry_after ?? date;
    return json(
      status,
      { detail: "Injected by a fault rule.", code: status === 429 ? "throttled" : "unavailable" },
      retryAfter === undefined ? {} : { "retry-after": retryAfter },
    );
  },
});

/** The page of a proxy, with status 200. */
export const html = defineFault({
  kind: "html",
  fields: {},
  response: () =>
    text("text/html; charset=utf-8", "<!doctype html><title>Maintenance</title><h1>We will be right back</h1>"),
});

export const emptyList = defineFault({
  kind: "empty_list",
  fields: {},
  response: () => json(200, []),
});

/** An error that claims to be a success. */
export const errorObject = defineFault({
  kind: "error_object",
  fields: {},
  response: () => json(200, { error: "upstream failed" }),
});

/** Any text with status 200 and the content type of JSON. */
export const body = defineFault({
  kind: "body",
  fields: { text: Type.String({ description: "Sent as it is, valid or not." }) },
  response: ({ text: own }) => text("application/json", own),
});
