// Every kind of fault, and what it does at its stage of a response.
import { Type, type Static, type TObject, type TProperties } from "typebox";
import { type Clock } from "../../platform/index.js";
import { json, type OutgoingResponse, textResponse } from "../http/response.js";
import { olderRows } from "../operations/present.js";

interface FaultContext {
  operation: string | null;
  /** Requests that the rule was applied to before this one. */
  applied: number;
  clock: Clock;
}

const framing = Type.Enum(["content-length", "chunked", "close"]);

export interface Transmission {
  body: Buffer;
  isList: boolean;
  framing: Static<typeof framing>;
  ending: "complete" | "truncated" | "reset";
  /** Null: all at once. */
  pace: { bytes: number; every_ms: number } | null;
  headers: Readonly<Record<string, string>>;
}

/** A fault: the fields of its rule, and its effect at one of four stages. */
export interface FaultKind<P extends TProperties = TProperties> {
  fields: P;
  /** Before the request is handled. */
  request?(fields: Static<TObject<P>>, context: FaultContext): Promise<void>;
  /** Replaces the response. */
  response?(fields: Static<TObject<P>>, context: FaultContext): OutgoingResponse;
  /** On the JSON text of a list's rows. */
  rows?(
    rows: readonly string[],
    fields: Static<TObject<P>>,
    context: FaultContext,
  ): readonly string[];
  wire?(transmission: Transmission, fields: Static<TObject<P>>): Partial<Transmission>;
  /** With gzip, before any `wire` effect. */
  isCompressed?: true;
}

const faultOf = <P extends TProperties>(
  fields: P,
  effects: Omit<FaultKind<P>, "fields">,
): FaultKind<P> => ({ fields, ...effects });
const onRows = <P extends TProperties>(fields: P, rows: NonNullable<FaultKind<P>["rows"]>) =>
  faultOf(fields, { rows });

const wholeNumber = Type.Integer({ minimum: 0 });
const rowNumber = { row: Type.Integer({ minimum: 0, description: "Row of the list, from 0." }) };
const fieldOfRow = { ...rowNumber, field: Type.String() };
const anyText = Type.String({ description: "Sent as it is, valid or not." });

const editedFrom = (
  rows: readonly string[],
  from: number,
  change: (text: string) => string,
  to = rows.length,
): string[] => rows.map((text, row) => (row >= from && row < to ? change(text) : text));

const editedAt = (rows: readonly string[], at: number, change: (text: string) => string) =>
  editedFrom(rows, at, change, at + 1);

const bodyFields = (text: string): Record<string, unknown> =>
  JSON.parse(text) as Record<string, unknown>;

/** `raw` need not be JSON. */
function withRaw(text: string, field: string, raw: string): string {
  const mark = "\u0000raw\u0000";
  return JSON.stringify({ ...bodyFields(text), [field]: mark }).replace(
    JSON.stringify(mark),
    () => raw,
  );
}

function ofAnotherType(value: unknown): unknown {
  if (typeof value === "number") return `about ${value}`;
  if (typeof value === "string") return { was: value };
  return typeof value === "boolean" ? "perhaps" : 7;
}

export const faultKinds = {
  delay: faultOf({ ms: wholeNumber }, { request: ({ ms }, { clock }) => clock.sleep(ms) }),

  status: faultOf(
    {
      status: Type.Integer({ minimum: 400, maximum: 599 }),
      retry_after: Type.Optional(
        Type.String({ description: "Sent as it is: seconds, a date, or nonsense." }),
      ),
      retry_after_date_s: Type.Optional(
        Type.Integer({ description: "Seconds from now, sent as a date." }),
      ),
    },
    {
      response: ({ status, retry_after, retry_after_date_s: seconds }, { clock }) => {
        const date =
          seconds === undefined
            ? undefined
            : new Date(clock.now().getTime() + 1000 * seconds).toUTCString();
        const retryAfter = retry_after ?? date;
        const code = status === 429 ? "throttled" : "unavailable";
        const { headers, ...refusal } = json(status, { detail: "Injected by a fault rule.", code });
        return {
          ...refusal,
          headers: retryAfter === undefined ? headers : { ...headers, "retry-after": retryAfter },
        };
      },
    },
  ),

  /** The page of a proxy, with status 200. */
  html: faultOf(
    {},
    {
      response: () =>
        textResponse(
          "text/html; charset=utf-8",
          "<!doctype html><title>Maintenance</title><h1>We will be right back</h1>",
        ),
    },
  ),

  body: faultOf(
    { text: anyText },
    { response: ({ text: own }) => textResponse("application/json", own) },
  ),

  short_list: onRows({ rows: wholeNumber }, (all, { rows }) => all.slice(0, rows)),

  /** Each read loses more rows from the start. */
  changing: onRows({ rows: Type.Optional(wholeNumber) }, (all, { rows = 1 }, { applied }) =>
    all.slice(applied * rows),
  ),

  double_row: onRows(rowNumber, (rows, { row }) => [...rows.slice(0, row + 1), ...rows.slice(row)]),

  doubled: onRows({}, (rows) => rows.flatMap((text) => [text, text])),

  /** For example the identifier of another experiment. */
  other: onRows({ field: Type.String(), text: anyText }, (rows, { field, text: raw }) =>
    rows.map((text) => withRaw(text, field, raw)),
  ),

  /** With null as the first value. */
  duplicate_keys: onRows(rowNumber, (rows, { row }) =>
    editedAt(rows, row, (text) => text.replace(/^\{("[^"]+":)/, "{$1null,$1")),
  ),

  wrong_type: onRows(fieldOfRow, (rows, { row, field }) =>
    editedAt(rows, row, (text) =>
      withRaw(text, field, JSON.stringify(ofAnotherType(bodyFields(text)[field]))),
    ),
  ),

  raw_value: onRows({ ...fieldOfRow, text: anyText }, (rows, { row, field, text: raw }) =>
    editedAt(rows, row, (text) => withRaw(text, field, raw)),
  ),

  raw_row: onRows({ ...rowNumber, text: anyText }, (rows, { row, text }) =>
    editedAt(rows, row, () => text),
  ),

  unknown_fields: onRows({ from_row: Type.Optional(wholeNumber) }, (rows, { from_row = 0 }) =>
    editedFrom(rows, from_row, (text) =>
      text.replace(/\}$/, ',"x_confidence":0.5,"x_labels":["new","kept"]}'),
    ),
  ),

  /** Records that both versions share are unchanged. */
  older_shape: onRows({ from_row: wholeNumber }, (rows, { from_row }, { operation }) => {
    const change = olderRows[operation ?? ""];
    if (change === undefined) return rows;
    return editedFrom(rows, from_row, (text) => JSON.stringify(change(bodyFields(text))));
  }),

  drip: faultOf(
    { bytes: Type.Integer({ minimum: 1 }), every_ms: wholeNumber },
    {
      wire: (_, { bytes, every_ms }) => ({
        pace: { bytes, every_ms },
      }),
    },
  ),

  cut: faultOf(
    { after: wholeNumber, framing },
    {
      wire: ({ body }, { after, framing }) => ({
        body: body.subarray(0, after),
        framing,
        ending: "truncated",
      }),
    },
  ),

  cut_after_row: faultOf(
    {
      ...rowNumber,
      framing,
      end: Type.Enum(["]", ",", ""], { description: "Last byte sent; `]` leaves valid JSON." }),
    },
    {
      wire: ({ body, isList }, { row, framing, end }) => {
        if (!isList) return { framing, ending: "truncated" };
        const rows = (JSON.parse(body.toString()) as unknown[])
          .slice(0, row + 1)
          .map((one) => JSON.stringify(one));
        return { body: Buffer.from(`[${rows.join(",")}${end}`), framing, ending: "truncated" };
      },
    },
  ),

  /** By default before the first byte. */
  reset: faultOf(
    { after: Type.Optional(wholeNumber) },
    {
      wire: ({ body }, { after = 0 }) => ({
        body: body.subarray(0, after),
        ending: "reset",
      }),
    },
  ),

  /** For example one that announces pages. */
  header: faultOf(
    { name: Type.String(), value: Type.String() },
    {
      wire: ({ headers }, { name, value }) => ({
        headers: { ...headers, [name]: value },
      }),
    },
  ),

  gzip: faultOf({}, { wire: () => ({}), isCompressed: true }),

  /** Truncated after `cut` bytes, or else with one inverted byte in the middle. */
  invalid_gzip: faultOf(
    { cut: Type.Optional(wholeNumber) },
    {
      isCompressed: true,
      wire({ body }, { cut }) {
        if (cut !== undefined) return { body: body.subarray(0, cut) };
        const corrupted = Buffer.from(body);
        const middle = Math.floor(corrupted.length / 2);
        corrupted.writeUInt8(corrupted.readUInt8(middle) ^ 0xff, middle);
        return { body: corrupted };
      },
    },
  ),
};

type FaultKinds = typeof faultKinds;

export type Fault = {
  [K in keyof FaultKinds]: { kind: K } & Static<TObject<FaultKinds[K]["fields"]>>;
}[keyof FaultKinds];
