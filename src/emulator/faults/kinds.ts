import type { Static, TObject, TProperties } from "typebox";
import { type Clock, Type } from "../../platform/index.js";
import { json, type OutgoingResponse, text } from "../http/response.js";

export const count = Type.Integer({ minimum: 0 });
export const row = { row: Type.Integer({ minimum: 0, description: "Row of the list, from 0." }) };
export const framing = Type.Union([Type.Literal("content-length"), Type.Literal("chunked"), Type.Literal("close")]);

/** The context of a fault: the request that its rule matched. */
interface FaultContext {
  operation: string | null;
  /** Number of requests that the rule was applied to before this one. */
  applied: number;
  clock: Clock;
}

/** The bytes of a response and how they are sent. */
export interface Transmission {
  body: Buffer;
  /** Whether the response is a list. */
  isList: boolean;
  framing: Static<typeof framing>;
  ending: "complete" | "truncated" | "reset";
  /** Null sends everything at once. */
  pace: { bytes: number; every_ms: number } | null;
}

/**
 * A kind of fault: the fields of its rule and its effect at one or more of four stages. `request` runs before the
 * request is handled, `response` replaces the response, `rows` changes the JSON text of a list's rows, and `wire`
 * changes how the bytes are sent.
 */
export interface FaultKind<K extends string = string, P extends TProperties = TProperties> {
  kind: K;
  fields: P;
  request?(fields: Static<TObject<P>>, context: FaultContext): Promise<void>;
  response?(fields: Static<TObject<P>>, context: FaultContext): OutgoingResponse;
  rows?(rows: Iterable<string>, fields: Static<TObject<P>>, context: FaultContext): Iterable<string>;
  wire?(transmission: Transmission, fields: Static<TObject<P>>): Partial<Transmission>;
  /** The body is compressed with gzip before any `wire` effect. */
  isCompressed?: true;
}

export const defineFault = <const K extends string, P extends TProperties>(fault: FaultKind<K, P>): FaultKind<K, P> =>
  fault;

/** Changes to the rows of a list, each row being JSON text. */
export type RowTexts = Iterable<string>;

/** Rows `from` (inclusive) to `to` (exclusive). */
export function* slice(rows: RowTexts, from: number, to: number): Generator<string> {
  let index = 0;
  for (const row of rows) {
    if (index >= to) return;
    if (index >= from) yield row;
    index += 1;
  }
}

function* mapped(rows: RowTexts, change: (text: string, index: number) => string): Generator<string> {
  let index = 0;
  for (const row of rows) {
    yield change(row, index);
    index += 1;
  }
}

export const mapAt = (rows: RowTexts, at: number, change: (text: string) => string): RowTexts =>
  mapped(rows, (text, index) => (index === at ? change(text) : text));

export const mapFrom = (rows: RowTexts, from: number, change: (text: string) => string): RowTexts =>
  mapped(rows, (text, index) => (index >= from ? change(text) : text));

export const fieldsOf = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** The row with `raw`, which need not be JSON, as the value of a field. */
export function withRaw(text: string, field: string, raw: string): string {
  const mark = "\u0000raw\u0000";
  return JSON.stringify({ ...fieldsOf(text), [field]: mark }).replace(JSON.stringify(mark), () => raw);
}

const delay = defineFault({
  kind: "delay",
  fields: { ms: count },
  request: ({ ms }, { clock }) => clock.sleep(ms),
});

const status = defineFault({
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
const html = defineFault({
  kind: "html",
  fields: {},
  response: () =>
    text("text/html; charset=utf-8", "<!doctype html><title>Maintenance</title><h1>We will be right back</h1>"),
});

const emptyList = defineFault({
  kind: "empty_list",
  fields: {},
  response: () => json(200, []),
});

/** An error that claims to be a success. */
const errorObject = defineFault({
  kind: "error_object",
  fields: {},
  response: () => json(200, { error: "upstream failed" }),
});

/** Any text with status 200 and the content type of JSON. */
const body = defineFault({
  kind: "body",
  fields: { text: Type.String({ description: "Sent as it is, valid or not." }) },
  response: ({ text: own }) => text("application/json", own),
});

/** Only the first rows, as valid JSON. */
const shortList = defineFault({
  kind: "short_list",
  fields: { rows: count },
  rows: (all, { rows }) => slice(all, 0, rows),
});

/** Data that change between two reads: each read loses more rows from the start. */
const changing = defineFault({
  kind: "changing",
  fields: { rows: Type.Optional(count) },
  rows: (all, { rows = 1 }, { applied }) => slice(all, applied * rows, Infinity),
});

const doubleRow = defineFault({
  kind: "double_row",
  fields: row,
  rows: (rows, { row }) => mapAt(rows, row, (text) => `${text},${text}`),
});

/** Repeats the row's first key, with null as its first value. */
const duplicateKeys = defineFault({
  kind: "duplicate_keys",
  fields: row,
  rows: (rows, { row }) => mapAt(rows, row, (text) => text.replace(/^\{("[^"]+":)/, "{$1null,$1")),
});

/** A field with a value of another JSON type. */
const wrongType = defineFault({
  kind: "wrong_type",
  fields: { ...row, field: Type.String() },
  rows: (rows, { row, field }) =>
    mapAt(rows, row, (text) => withRaw(text, field, JSON.stringify(ofAnotherType(fieldsOf(text)[field])))),
});

function ofAnotherType(value: unknown): unknown {
  if (typeof value === "number") return `about ${value}`;
  if (typeof value === "string") return { was: value };
  return typeof value === "boolean" ? "perhaps" : 7;
}

const rawValue = defineFault({
  kind: "raw_value",
  fields: { ...row, field: Type.String(), text: Type.String({ description: "Sent as it is, valid or not." }) },
  rows: (rows, { row, field, text: raw }) => mapAt(rows, row, (text) => withRaw(text, field, raw)),
});

const rawRow = defineFault({
  kind: "raw_row",
  fields: { ...row, text: Type.String({ description: "Sent as it is, valid or not." }) },
  rows: (rows, { row, text }) => mapAt(rows, row, () => text),
});

const unknownFields = defineFault({
  kind: "unknown_fields",
  fields: { from_row: Type.Optional(count) },
  rows: (rows, { from_row = 0 }) =>
    mapFrom(rows, from_row, (text) => text.replace(/\}$/, ',"x_confidence":0.5,"x_labels":["new","kept"]}')),
});

const without = (row: Record<string, unknown>, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const older: Record<string, (row: Record<string, unknown>) => Record<string, unknown>> = {
  listSlates: (row) => ({ ...row, rater_id: Number(row.rater_id) }),
  listRaters: (row) => ({ ...row, id: Number(row.id) }),
  listSessions: (row) => {
    const rater = row.rater as Record<string, unknown>;
    return { ...row, rater: { ...rater, id: Number(rater.id) } };
  },
  listJobs: (row) => ({ ...without(row, "rater_pool", "num_comparisons", "num_training"), pool: 1 }),
  listExperiments: (row) => ({ ...without(row, "type"), version: 1 }),
};

/** Rows as version 0.7.5 would send them; records that both versions share are unchanged. */
const olderShape = defineFault({
  kind: "older_shape",
  fields: { from_row: count },
  rows(rows, { from_row }, { operation }) {
    const change = older[operation ?? ""];
    return change === undefined ? rows : mapFrom(rows, from_row, (text) => JSON.stringify(change(fieldsOf(text))));
  },
});

/** A few bytes at a time. */
const drip = defineFault({
  kind: "drip",
  fields: { bytes: Type.Integer({ minimum: 1 }), every_ms: count },
  wire: (_, pace) => ({ pace }),
});

/** The connection ends after a number of bytes. */
const cut = defineFault({
  kind: "cut",
  fields: { after: count, framing },
  wire: ({ body }, { after, framing }) => ({ body: body.subarray(0, after), framing, ending: "truncated" }),
});

/** The connection ends after a row of a list. */
const cutAfterRow = defineFault({
  kind: "cut_after_row",
  fields: {
    ...row,
    framing,
    end: Type.Union([Type.Literal("]"), Type.Literal(","), Type.Literal("")], {
      description: "Last byte sent; `]` leaves valid JSON.",
    }),
  },
  wire({ body, isList }, { row, framing, end }) {
    if (!isList) return { framing, ending: "truncated" };
    const rows = (JSON.parse(body.toString()) as unknown[]).slice(0, row + 1).map((one) => JSON.stringify(one));
    return { body: Buffer.from(`[${rows.join(",")}${end}`), framing, ending: "truncated" };
  },
});

/** The connection is reset after a number of bytes, by default before the first. */
const reset = defineFault({
  kind: "reset",
  fields: { after: Type.Optional(count) },
  wire: ({ body }, { after = 0 }) => ({ body: body.subarray(0, after), ending: "reset" }),
});

const gzip = defineFault({
  kind: "gzip",
  fields: {},
  isCompressed: true,
  wire: () => ({}),
});

/** A compressed body that is truncated after `cut` bytes, or else has one inverted byte in the middle. */
const invalidGzip = defineFault({
  kind: "invalid_gzip",
  fields: { cut: Type.Optional(count) },
  isCompressed: true,
  wire({ body }, { cut }) {
    if (cut !== undefined) return { body: body.subarray(0, cut) };
    const corrupted = Buffer.from(body);
    const middle = Math.floor(corrupted.length / 2);
    corrupted[middle] = (corrupted[middle] ?? 0) ^ 0xff;
    return { body: corrupted };
  },
});

/** Every kind of fault. */
export const registry = {
  delay,
  status,
  html,
  emptyList,
  errorObject,
  body,
  shortList,
  changing,
  doubleRow,
  duplicateKeys,
  wrongType,
  rawValue,
  rawRow,
  unknownFields,
  olderShape,
  drip,
  cut,
  cutAfterRow,
  reset,
  gzip,
  invalidGzip,
};
