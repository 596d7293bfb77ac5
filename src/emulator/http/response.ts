import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";

/** A refusal with its status. The body is `{detail, code, errors?}`: an assumption, docs/emulator.md. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  constructor(
    readonly status: number,
    readonly code: string,
    detail: string,
    readonly errors: readonly { field: string; message: string }[] = [],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
  }

  get body(): Record<string, unknown> {
    return { detail: this.message, code: this.code, ...(this.errors.length > 0 ? { errors: this.errors } : {}) };
  }
}

export const notFound = (what: string): HttpError => new HttpError(404, "not_found", `There is no such ${what}.`);

export const invalid = (detail: string, errors: readonly { field: string; message: string }[] = []): HttpError =>
  new HttpError(400, "invalid", detail, errors);

/** A refusal because of one field of the body. */
export const invalidField = (field: string, message: string): HttpError =>
  invalid(`Body: ${field} ${message}.`, [{ field, message }]);

export const conflict = (detail: string): HttpError => new HttpError(409, "conflict", detail);

const codes: Record<number, string> = { 413: "payload_too_large", 415: "unsupported_media_type" };

/** Anything thrown as a refusal. */
export function refusalOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const { statusCode: status = 500, message = "" } = error as { statusCode?: number; message?: string };
  return status >= 500
    ? new HttpError(500, "internal_error", "The service failed on this request.")
    : new HttpError(status, codes[status] ?? "invalid", message);
}

/** The rows of a list, as values or as JSON texts, generated on demand. */
export type ListRows = { values: Iterable<unknown> } | { texts: Iterable<string> };

/** A response to send. Rows are joined to a list while they are sent. */
export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  body: { whole: Buffer } | ListRows | null;
}

const flushAt = 128 * 1024;
const together = 256;

export const json = (
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): OutgoingResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: { whole: Buffer.from(JSON.stringify(value)) },
});

export const text = (type: string, body: string): OutgoingResponse => ({
  status: 200,
  headers: { "content-type": type },
  body: { whole: Buffer.from(body) },
});

export const list = (rows: ListRows): OutgoingResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: rows,
});

/** The presented rows, generated on demand. */
export const presentEach = <T>(
  rows: Iterable<T>,
  present: (row: T) => unknown,
  isIncluded: (row: T) => boolean = () => true,
): ListRows => ({ values: presented(rows, present, isIncluded) });

function* presented<T>(rows: Iterable<T>, present: (row: T) => unknown, isIncluded: (row: T) => boolean): Generator {
  for (const row of rows) if (isIncluded(row)) yield present(row);
}

/** The bytes of a body in pieces of about 128 KiB, generated on demand. */
export function* pieces(body: OutgoingResponse["body"]): Generator<Buffer> {
  if (body === null) return;
  if ("whole" in body) {
    yield body.whole;
    return;
  }
  let text = "[";
  let first = true;
  for (const row of "texts" in body ? body.texts : joined(body.values)) {
    text += first ? row : `,${row}`;
    first = false;
    if (text.length < flushAt) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}]`);
}

/** The JSON text of each row. */
export const textsOf = (rows: ListRows): Iterable<string> => ("texts" in rows ? rows.texts : stringified(rows.values));

function* stringified(values: Iterable<unknown>): Generator<string> {
  for (const value of values) yield JSON.stringify(value);
}

/** Several rows at a time, joined by commas: JSON.stringify is twice as fast on one array as on many small objects. */
function* joined(values: Iterable<unknown>): Generator<string> {
  let batch: unknown[] = [];
  for (const value of values) {
    batch.push(value);
    if (batch.length < together) continue;
    yield JSON.stringify(batch).slice(1, -1);
    batch = [];
  }
  if (batch.length > 0) yield JSON.stringify(batch).slice(1, -1);
}

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
