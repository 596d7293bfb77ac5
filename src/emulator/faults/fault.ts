import type { Static, TObject, TProperties } from "typebox";
import { Type } from "../../platform/index.js";
import type { Clock } from "../../platform/index.js";
import type { OutgoingResponse } from "../http/outgoing.js";

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
