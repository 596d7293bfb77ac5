import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { pieces, type Outgoing } from "./outgoing.js";

/** Sends a response as it should be: small bodies with their length, lists chunked under back-pressure. */
export async function deliver(response: ServerResponse, outgoing: Outgoing): Promise<void> {
  const { status, headers, body } = outgoing;
  if (body === null) {
    response.writeHead(status, headers);
    response.end();
    return;
  }
  if ("whole" in body) {
    response.writeHead(status, { ...headers, "content-length": String(body.whole.length) });
    response.end(body.whole);
    return;
  }
  response.writeHead(status, headers);
  for (const piece of pieces(body)) await write(response, piece);
  response.end();
}

/** Writes and waits for room; a reader that has gone ends the wait. */
export async function write(response: ServerResponse, piece: Buffer): Promise<void> {
  if (response.destroyed) return;
  if (response.write(piece)) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(() => undefined);
  waiting.abort();
}
