import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Clock } from "../../platform/index.js";
import { write, type Sent } from "../http/deliver.js";
import { pieces, textsOf, type OutgoingResponse } from "../http/outgoing.js";
import type { Transmission } from "./fault.js";
import { kindOf, type Fault } from "./rules.js";

/** A fault that a request matched, and the number of requests that its rule was applied to before. */
export interface Match {
  fault: Fault;
  applied: number;
}

/** The effects of the faults that one request matched, stage by stage. */
export interface Injection {
  beforeHandling(): Promise<void>;
  /** The response in place of the real one; undefined when no fault replaces it. */
  response(): OutgoingResponse | undefined;
  /** The response with changed rows, when it is a list. */
  withRows(outgoing: OutgoingResponse): OutgoingResponse;
  /** Sends the response when a fault acts on its bytes; undefined when none does. */
  transmit(response: ServerResponse, outgoing: OutgoingResponse): Promise<Sent> | undefined;
}

export function injectionOf(matches: readonly Match[], operation: string | null, clock: Clock): Injection {
  const effects = matches.map(({ fault, applied }) => {
    const context = { operation, applied, clock };
    return { fault, context, kind: kindOf(fault) };
  });
  return {
    async beforeHandling() {
      for (const { kind, fault, context } of effects) await kind.request?.(fault, context);
    },
    response() {
      const own = effects.find(({ kind }) => kind.response !== undefined);
      return own?.kind.response?.(own.fault, own.context);
    },
    withRows(outgoing) {
      const { status, body } = outgoing;
      if (status !== 200 || body === null || "whole" in body) return outgoing;
      if (!effects.some(({ kind }) => kind.rows !== undefined)) return outgoing;
      const texts = effects.reduce(
        (rows, { kind, fault, context }) => kind.rows?.(rows, fault, context) ?? rows,
        textsOf(body),
      );
      return { ...outgoing, body: { texts } };
    },
    transmit(response, { status, headers, body }) {
      const wire = effects.filter(({ kind }) => kind.wire !== undefined);
      if (wire.length === 0) return undefined;
      const isCompressed = wire.some(({ kind }) => kind.isCompressed);
      const bytes = Buffer.concat([...pieces(body)]);
      const full = isCompressed ? gzipSync(bytes) : bytes;
      const isList = body !== null && !("whole" in body);
      const plain: Transmission = { body: full, isList, framing: "content-length", ending: "complete", pace: null };
      const own = wire.reduce((so, { kind, fault }) => ({ ...so, ...kind.wire?.(so, fault) }), plain);
      const declared = own.ending === "complete" ? own.body.length : full.length;
      const allHeaders = {
        ...headers,
        ...(isCompressed ? { "content-encoding": "gzip" } : {}),
        ...(own.framing === "content-length" ? { "content-length": String(declared) } : {}),
      };
      return transmit(response, status, allHeaders, own, clock);
    },
  };
}

async function transmit(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  { body, framing, ending, pace }: Transmission,
  clock: Clock,
): Promise<Sent> {
  const sent = { bytes: body.length, complete: ending === "complete" };
  const { socket } = response;
  if (ending === "reset" && body.length === 0) {
    socket?.resetAndDestroy();
    return sent;
  }
  if (framing === "close") {
    response.shouldKeepAlive = false;
    response.useChunkedEncodingByDefault = false;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  if (pace === null) await write(response, body);
  else
    for (let at = 0; at < body.length && !response.destroyed; at += pace.bytes) {
      await write(response, body.subarray(at, at + pace.bytes));
      await clock.sleep(pace.every_ms);
    }
  if (ending === "complete" || (ending === "truncated" && framing === "close")) response.end();
  else if (ending === "truncated") socket?.destroySoon();
  else socket?.once("drain", () => undefined).write("", () => socket.resetAndDestroy());
  return sent;
}
