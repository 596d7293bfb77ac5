import { Type, type Static } from "typebox";
import { Enum, operationNames } from "../../contract/index.js";

const one = <const K extends string>(kind: K) => ({ kind: Type.Literal(kind) });
const count = Type.Integer({ minimum: 0 });
const row = { row: Type.Integer({ minimum: 0, description: "Row of the list, from 0." }) };
const closed = { additionalProperties: false } as const;

const framing = Type.Union([Type.Literal("content-length"), Type.Literal("chunked"), Type.Literal("close")]);

/** What can go wrong on the way of a response. */
const wireFaults = [
  Type.Object({ ...one("delay"), ms: count }, closed),
  Type.Object({ ...one("drip"), bytes: Type.Integer({ minimum: 1 }), every_ms: count }, closed),
  Type.Object({ ...one("cut"), after: count, framing }, closed),
  Type.Object(
    {
      ...one("cut_after_row"),
      ...row,
      framing,
      end: Type.Union([Type.Literal("]"), Type.Literal(","), Type.Literal("")], {
        description: "Last byte sent; `]` leaves valid JSON.",
      }),
    },
    closed,
  ),
  Type.Object({ ...one("reset"), after: Type.Optional(count) }, closed),
  Type.Object({ ...one("invalid_gzip"), cut: Type.Optional(count) }, closed),
  Type.Object({ ...one("gzip") }, closed),
] as const;

/** What can come instead of the response. */
const answerFaults = [
  Type.Object(
    {
      ...one("status"),
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      retry_after: Type.Optional(Type.String({ description: "Sent as it is: seconds, a date, or nonsense." })),
      retry_after_date_s: Type.Optional(Type.Integer({ description: "A date so many seconds from now." })),
    },
    closed,
  ),
  Type.Object({ ...one("html") }, closed),
  Type.Object({ ...one("empty_list") }, closed),
  Type.Object({ ...one("error_object") }, closed),
  Type.Object({ ...one("body"), text: Type.String({ description: "Sent with status 200, whatever it is." }) }, closed),
] as const;

/** What can be wrong in the rows of a list. */
const rowFaults = [
  Type.Object({ ...one("short_list"), rows: count }, closed),
  Type.Object({ ...one("duplicate_keys"), ...row }, closed),
  Type.Object({ ...one("wrong_type"), ...row, field: Type.String() }, closed),
  Type.Object(
    {
      ...one("raw_value"),
      ...row,
      field: Type.String(),
      text: Type.String({ description: "JSON text put for the value, checked by no one." }),
    },
    closed,
  ),
  Type.Object({ ...one("raw_row"), ...row, text: Type.String() }, closed),
  Type.Object({ ...one("double_row"), ...row }, closed),
  Type.Object({ ...one("unknown_fields"), from_row: Type.Optional(count) }, closed),
  Type.Object({ ...one("older_shape"), from_row: count }, closed),
  Type.Object({ ...one("changing"), rows: Type.Optional(count) }, closed),
] as const;

export const faultSchema = Type.Union([...wireFaults, ...answerFaults, ...rowFaults]);

/** When a fault strikes, and which. Requests are counted for each rule apart, from 1. */
export const faultRuleSchema = Type.Object(
  {
    operation: Type.Optional(Enum(["*", ...operationNames])),
    experiment: Type.Optional(Type.String()),
    nth: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Array(Type.Integer({ minimum: 1 }))])),
    times: Type.Optional(Type.Integer({ minimum: 1, description: "Only the first so many requests." })),
    probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1, description: "Drawn from the service's seed." })),
    fault: faultSchema,
  },
  closed,
);

export type Fault = Static<typeof faultSchema>;
export type FaultRule = Static<typeof faultRuleSchema>;
export type Framing = Static<typeof framing>;
