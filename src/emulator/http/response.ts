import { once } from "node:events";
import type { ServerResponse } from "node:http";

/** A refusal with its status. The body is `{detail, code, errors?}`: an assumption, docs/reference/emulator.md. */
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

/** A response to send: a whole body, the JSON texts of a list's rows, generated while they are sent, or no body. */
export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  body: { whole: Buffer } | { rows: Iterable<string> } | null;
}

export const text = (type: string, body: string, status = 200): OutgoingResponse => ({
  status,
  headers: { "content-type": type },
  body: { whole: Buffer.from(body) },
});

export const json = (status: number, value: unknown): OutgoingResponse =>
  text("application/json", JSON.stringify(value), status);

/** A list of rows as `present` shows them. */
export const list = <T>(rows: Iterable<T>, present: (row: T) => unknown = (row) => row): OutgoingResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: { rows: jsonTexts(rows, present) },
});

function* jsonTexts<T>(rows: Iterable<T>, present: (row: T) => unknown): Generator<string> {
  for (const row of rows) yield JSON.stringify(present(row));
}

/** The bytes of a body in pieces of about 128 KiB, generated on demand. */
export function* pieces(body: OutgoingResponse["body"]): Generator<Buffer> {
  if (body === null) return;
  if ("whole" in body) {
    yield body.whole;
    return;
  }
  let text = "[";
  let comma = "";
  for (const row of body.rows) {
    text += comma + row;
    comma = ",";
    if (text.length < 128 * 1024) continue;
    yield Buffer.from(text);
    text = "";
  }
  yield Buffer.from(`${text}]`);
}

export interface Sent {
  bytes: number;
  complete: boolean;
}

/** Sends a response without faults: whole bodies with their length, lists chunked and with back-pressure. */
export async function deliver(response: ServerResponse, { status, headers, body }: OutgoingResponse): Promise<Sent> {
  const length = body !== null && "whole" in body ? { "content-length": String(body.whole.length) } : {};
  response.writeHead(status, { ...headers, ...length });
  let bytes = 0;
  for (const piece of pieces(body)) {
    await write(response, piece);
    if (response.destroyed) return { bytes, complete: false };
    bytes += piece.length;
  }
  response.end();
  return { bytes, complete: true };
}

/** Writes and waits until the buffer drains or the connection closes. */
export async function write(response: ServerResponse, piece: Buffer): Promise<void> {
  if (response.destroyed || response.write(piece)) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, "drain", { signal }), once(response, "close", { signal })]).catch(() => undefined);
  waiting.abort();
}
