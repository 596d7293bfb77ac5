import { Type } from "typebox";
import { json } from "../../http/outgoing.js";
import { defineFault } from "../fault.js";

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
