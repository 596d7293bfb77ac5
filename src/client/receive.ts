/** The body of an answer: paced, decoded, checked and handed to a sink. */
import { createHash } from "node:crypto";
import type { Dispatcher } from "undici";
import type { Redact } from "./secrets.js";
import { messageOf, RecountError, type Clock, isBlank } from "../platform/index.js";
import { decodedText, isCorrupted } from "./bodies.js";
import { TerminalFailure, TransientFailure } from "./failures.js";
import type { TransferLimits } from "./limits.js";
import { announcedBy } from "./pages.js";
import type { Screen } from "./screen.js";
import type { Sink } from "./sink.js";

/** The sink's result, SHA-256 (hexadecimal) and size in bytes, all as masked. */
export interface Received<T> {
  readonly value: T;
  readonly sha256: string;
  readonly bytes: number;
  /** Secrets of this client in the body. */
  readonly secrets: number;
}

/** The JSON value that a body must be; `any` where the interface does not say. */
export type Expected = "list" | "object" | "any";

export interface ReceiveContext {
  readonly limits: TransferLimits;
  readonly clock: Clock;
  readonly redact: Redact;
  /** Finds secrets in the body, and masks them if it was made to. */
  readonly screen?: Screen;
}

const brackets = { list: "[]", object: "{}" } as const;
/** Milliseconds of waiting over which the rate of a body is measured. */
const rateWindowMs = 60_000;

const inGiB = (bytes: number) => `${Math.round((bytes / 1024 ** 3) * 1e6) / 1e6} GiB`;

function tooLarge(name: string, { bodyBytes }: TransferLimits): TerminalFailure {
  return new TerminalFailure(`${name}: the body is larger than ${inGiB(bodyBytes)}, the maximum.`);
}

/** Only time spent waiting for the service counts. */
function paced(
  name: string,
  body: AsyncIterable<Buffer>,
  { limits, clock }: Pick<ReceiveContext, "limits" | "clock">,
): AsyncIterable<Buffer> {
  const pieces = body[Symbol.asyncIterator]();
  const window = { waitedMs: 0, bytes: 0 };
  const all = { waitedMs: 0, bytes: 0 };
  function count(bytes: number, waitedMs: number): void {
    for (const one of [window, all]) {
      one.waitedMs += waitedMs;
      one.bytes += bytes;
    }
    if (all.bytes > limits.bodyBytes) throw tooLarge(name, limits);
    if (all.waitedMs > limits.bodyMs)
      throw new TransientFailure(
        `${name}: the body took longer than ${Math.round(limits.bodyMs / 60_000)} min.`,
      );
    if (window.waitedMs < rateWindowMs) return;
    const rate = (window.bytes * 1000) / window.waitedMs;
    if (rate < limits.bytesPerSecond)
      throw new TransientFailure(
        `${name}: the body is too slow: ${rate.toPrecision(2)} bytes/s in the last ` +
          `minute, under ${limits.bytesPerSecond}.`,
      );
    window.waitedMs = window.bytes = 0;
  }
  const counted: AsyncIterator<Buffer> = {
    async next() {
      const asked = clock.monotonicMs();
      const next = (await pieces.next()) as IteratorResult<Buffer, undefined>;
      if (!next.done) count(next.value.length, clock.monotonicMs() - asked);
      return next;
    },
    return: async () => (await pieces.return?.()) ?? { done: true, value: undefined },
  };
  return { [Symbol.asyncIterator]: () => counted };
}

const byteOrderMark = Buffer.from("\ufeff");

/** Without a byte order mark, which a reader may ignore (RFC 8259, 8.1). */
export async function* unmarked(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of pieces) {
    const whole: Buffer = head === undefined ? piece : Buffer.concat([head, piece]);
    const isOpen = whole.length < 3 && byteOrderMark.subarray(0, whole.length).equals(whole);
    const isMarked = head !== undefined && whole.subarray(0, 3).equals(byteOrderMark);
    head = head !== undefined && isOpen ? whole : undefined;
    if (head === undefined) yield isMarked ? whole.subarray(3) : whole;
  }
  if (head !== undefined && head.length > 0) yield head;
}

export function bodyPieces(
  name: string,
  { headers, body }: Pick<Dispatcher.ResponseData, "headers" | "body">,
  context: Pick<ReceiveContext, "limits" | "clock">,
): AsyncIterable<Buffer> {
  const sent = paced(name, body as AsyncIterable<Buffer>, context);
  return unmarked(decodedText(name, sent, headers["content-encoding"]));
}

/** What bodies are that begin with these bytes, and what to do. */
const oddBodies: readonly (readonly [begin: readonly number[], problem: string])[] = [
  [[0x1f, 0x8b], "compressed (gzip), but its headers do not say so (content-encoding: gzip)"],
  ...[
    [0xff, 0xfe],
    [0xfe, 0xff],
    [0x5b, 0],
    [0x7b, 0],
    [0, 0x5b],
    [0, 0x7b],
  ].map((begin) => [begin, "text in UTF-16; JSON is UTF-8 (RFC 8259, 8.1)"] as const),
];

/** @throws TransientFailure for a trailer that names an error. */
function checkTrailers(name: string, trailers: object, redact: Redact): void {
  for (const [field, value] of Object.entries(trailers) as [string, unknown][]) {
    const said = String(value).trim();
    if (!/error|fail|abort/i.test(field) || /^(0|no|none|false|null|ok)?$/i.test(said)) continue;
    const shown = redact(`${field}: ${said}`).slice(0, 200);
    throw new TransientFailure(`${name}: the service reports an error after the body (${shown}).`);
  }
}

function checkBegin(
  name: string,
  expected: Expected,
  chunk: Buffer,
  at: number,
  redact: Redact,
): void {
  const first = chunk[at];
  const odd = oddBodies.find(([begin]) => begin.every((byte, i) => chunk[at + i] === byte));
  if (odd !== undefined) throw new TransientFailure(`${name}: the body is ${odd[1]}.`);
  if (expected === "any" || first === brackets[expected].charCodeAt(0)) return;
  const text = redact(chunk.toString("utf8", at, at + 60))
    .replaceAll(/\s+/g, " ")
    .trim();
  const isObject = expected === "list" && first === brackets.object.charCodeAt(0);
  const problem = isObject
    ? "is an object, not the list that was asked for"
    : "is not the expected JSON";
  throw new TransientFailure(`${name}: the body ${problem}. It begins with ${text} …`);
}

/**
 * Memory does not grow with the body.
 * @throws TransientFailure for a truncated, corrupted or slow body, TerminalFailure for one that is
 * too large, of an unknown encoding, or one page of a list.
 */
export async function receive<T>(
  name: string,
  expected: Expected,
  {
    headers,
    body,
    trailers = {},
  }: Pick<Dispatcher.ResponseData, "headers" | "body"> & { readonly trailers?: object },
  sink: Sink<T>,
  context: ReceiveContext,
): Promise<Received<T>> {
  const { limits, redact, screen } = context;
  const hash = createHash("sha256");
  let bytes = 0;
  let last: number | undefined;
  const take = (chunk: Buffer): Promise<void> => {
    if (chunk.length === 0) return Promise.resolve();
    hash.update(chunk);
    bytes += chunk.length;
    if (bytes > limits.bodyBytes) throw tooLarge(name, limits);
    if (last === undefined) {
      const at = chunk.findIndex((byte) => !isBlank(byte));
      if (at >= 0) checkBegin(name, expected, chunk, at, redact);
    }
    last = chunk.findLast((byte) => !isBlank(byte)) ?? last;
    return sink.write(chunk);
  };
  // A body that is destroyed reports that as an error to whoever listens, and ends the process if
  // nobody does.
  body.on("error", () => undefined);
  try {
    const announced = expected === "list" ? announcedBy(name, headers, redact) : undefined;
    await sink.start();
    for await (const piece of bodyPieces(name, { headers, body }, context))
      await take(screen === undefined ? piece : screen.pass(piece));
    if (screen !== undefined) await take(screen.end());
    checkTrailers(name, trailers, redact);
    if (expected !== "any") {
      // A truncated body delimited by the end of its connection looks complete: only its last byte
      // shows it.
      const close = brackets[expected].charAt(1);
      if (last === undefined) throw new TransientFailure(`${name}: the body is empty.`);
      if (last !== close.charCodeAt(0))
        throw new TransientFailure(
          `${name}: the body ends before its closing ${close}: it is truncated.`,
        );
    }
    const sha256 = hash.digest("hex");
    const value = await sink.finish({ sha256, bytes, announced }).catch((error: unknown) => {
      if (error instanceof RecountError) throw error;
      throw new TerminalFailure(`${name}: the body cannot be stored: ${messageOf(error)}`, {
        cause: error,
      });
    });
    return { value, sha256, bytes, secrets: screen?.found ?? 0 };
  } catch (error) {
    body.destroy();
    await sink.abort();
    if (isCorrupted(error))
      throw new TransientFailure(`${name}: the compressed body is corrupted: ${error.message}.`, {
        cause: error,
      });
    throw error;
  }
}
