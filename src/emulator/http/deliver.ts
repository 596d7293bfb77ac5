import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pieces, type OutgoingResponse } from "./outgoing.js";

export interface Sent {
  bytes: number;
  complete: boolean;
}

/** Sends a response without faults: whole bodies with their length, lists chunked and with back-pressure. */
export async function deliver(response: ServerResponse, outgoing: OutgoingResponse, gzip: boolean): Promise<Sent> {
  const { status, headers, body } = outgoing;
  if (body === null) {
    response.writeHead(status, headers);
    response.end();
    return { bytes: 0, complete: true };
  }
  if ("whole" in body) {
    response.writeHead(status, { ...headers, "content-length": String(body.whole.length) });
    response.end(body.whole);
    return { bytes: body.whole.length, complete: true };
  }
  if (gzip) return compressed(response, outgoing);
  response.writeHead(status, headers);
  let bytes = 0;
  for (const piece of pieces(body)) {
    await write(response, piece);
    if (response.destroyed) return { bytes, complete: false };
    bytes += piece.length;
  }
  response.end();
  return { bytes, complete: true };
}

async function compressed(response: ServerResponse, { status, headers, body }: OutgoingResponse): Promise<Sent> {
  response.writeHead(status, { ...headers, "content-encoding": "gzip", vary: "accept-encoding" });
  const packer = createGzip({ level: 1 });
  let bytes = 0;
  packer.on("data", (piece: Buffer) => (bytes += piece.length));
  const complete = await pipeline(Readable.from(pieces(body)), packer, response).then(
    () => true,
    () => false,
  );
  return { bytes, complete };
}

/** Writes and waits until the buffer drains or the connection closes. */
export async function write(response: ServerResponse, piece: Buffer): Promise<void> {
  if (response.destroyed) return;
  if (response.write(piece)) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(() => undefined);
  waiting.abort();
}
