import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import type { Clock } from "../../platform/index.js";
import { write } from "../http/deliver.js";
import { pieces, type Outgoing } from "../http/outgoing.js";
import type { Fault, Framing } from "./rules.js";

type Wire = Extract<Fault, { kind: "drip" | "cut" | "cut_after_row" | "reset" | "invalid_gzip" | "gzip" }>;

/** Whether a fault acts on the bytes of a response. */
export const isWire = (fault: Fault): fault is Wire =>
  ["drip", "cut", "cut_after_row", "reset", "invalid_gzip", "gzip"].includes(fault.kind);

/** Sends a response under wire faults. The body is held whole: faults are for tests. Returns the bytes sent and whether all of them. */
export async function deliverSpoilt(
  response: ServerResponse,
  outgoing: Outgoing,
  faults: readonly Wire[],
  clock: Clock,
): Promise<{ bytes: number; complete: boolean }> {
  let body: Buffer = Buffer.concat([...pieces(outgoing.body)]);
  const headers: Record<string, string> = { ...outgoing.headers };
  if (faults.some(({ kind }) => kind === "gzip" || kind === "invalid_gzip")) {
    body = gzipSync(body);
    headers["content-encoding"] = "gzip";
  }
  const full = body.length;
  let framing: Framing = "content-length";
  let ending: "whole" | "cut" | "reset" = "whole";
  let drip: Extract<Wire, { kind: "drip" }> | undefined;
  for (const fault of faults) {
    if (fault.kind === "cut" || fault.kind === "cut_after_row") {
      body = fault.kind === "cut" ? body.subarray(0, fault.after) : cutAfterRow(body, outgoing, fault.row, fault.end);
      ({ framing } = fault);
      ending = "cut";
    } else if (fault.kind === "reset") {
      body = body.subarray(0, fault.after ?? 0);
      ending = "reset";
    } else if (fault.kind === "invalid_gzip") body = spoiltGzip(body, fault.cut);
    else if (fault.kind === "drip") drip = fault;
  }
  const declared = ending === "whole" ? body.length : full;
  if (ending === "reset" && body.length === 0) {
    response.socket?.resetAndDestroy();
    return { bytes: 0, complete: false };
  }
  frame(response, outgoing.status, headers, framing, declared);
  await sendBytes(response, body, drip, clock);
  finish(response, framing, ending);
  return { bytes: body.length, complete: ending === "whole" };
}

function frame(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  framing: Framing,
  length: number,
): void {
  if (framing === "content-length") headers["content-length"] = String(length);
  if (framing === "close") {
    response.shouldKeepAlive = false;
    response.useChunkedEncodingByDefault = false;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
}

async function sendBytes(
  response: ServerResponse,
  body: Buffer,
  drip: { bytes: number; every_ms: number } | undefined,
  clock: Clock,
): Promise<void> {
  if (drip === undefined) return write(response, body);
  for (let at = 0; at < body.length && !response.destroyed; at += drip.bytes) {
    await write(response, body.subarray(at, at + drip.bytes));
    await clock.sleep(drip.every_ms);
  }
}

function finish(response: ServerResponse, framing: Framing, ending: "whole" | "cut" | "reset"): void {
  const { socket } = response;
  if (ending === "whole" || (ending === "cut" && framing === "close")) response.end();
  else if (ending === "cut") socket?.destroySoon();
  else socket?.once("drain", () => undefined).write("", () => socket.resetAndDestroy());
}

function cutAfterRow(body: Buffer, outgoing: Outgoing, row: number, end: string): Buffer {
  if (outgoing.body === null || "whole" in outgoing.body) return body;
  const rows = JSON.parse(body.toString()) as unknown[];
  const text = rows
    .slice(0, row + 1)
    .map((one) => JSON.stringify(one))
    .join(",");
  return Buffer.from(`[${text}${end}`);
}

/** Either cut short or with one byte in the middle turned over. */
function spoiltGzip(body: Buffer, cut: number | undefined): Buffer {
  if (cut !== undefined) return body.subarray(0, cut);
  const copy = Buffer.from(body);
  const middle = Math.floor(copy.length / 2);
  copy[middle] = (copy[middle] ?? 0) ^ 0xff;
  return copy;
}
