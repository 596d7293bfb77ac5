import type { Clock } from "../../platform/index.js";
import { json, type Outgoing } from "../http/outgoing.js";
import type { Struck } from "./injector.js";
import type { Fault } from "./rules.js";

/** The response that a fault puts in place of the real one, if one does. */
export function answerInstead(faults: readonly Struck[], clock: Clock): Outgoing | undefined {
  for (const { fault } of faults) {
    const instead = oneInstead(fault, clock);
    if (instead !== undefined) return instead;
  }
  return undefined;
}

function oneInstead(fault: Fault, clock: Clock): Outgoing | undefined {
  switch (fault.kind) {
    case "status": {
      const { status, retry_after: as, retry_after_date_s: seconds } = fault;
      const date = seconds === undefined ? undefined : new Date(clock.now().getTime() + 1000 * seconds).toUTCString();
      const retryAfter = as ?? date;
      const code = status === 429 ? "throttled" : "unavailable";
      return json(
        status,
        { detail: "Ordered by a fault rule.", code },
        retryAfter === undefined ? {} : { "retry-after": retryAfter },
      );
    }
    case "html":
      return text(
        "text/html; charset=utf-8",
        "<!doctype html><title>Maintenance</title><h1>We will be right back</h1>",
      );
    case "empty_list":
      return text("application/json", "[]");
    case "error_object":
      return json(200, { error: "upstream failed" });
    case "body":
      return text("application/json", fault.text);
    default:
      return undefined;
  }
}

const text = (type: string, body: string): Outgoing => ({
  status: 200,
  headers: { "content-type": type },
  body: { whole: Buffer.from(body) },
});
