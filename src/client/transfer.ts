import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { request, type Dispatcher } from "undici";
import {
  InterruptedError,
  type Clock,
  type Random,
  codeOf,
  counted,
  messageOf,
  RecountError,
  settings,
  UsageError,
  type Redact,
} from "../platform/index.js";
import { decoded, isCorrupted } from "./bodies.js";
import {
  TransientFailure,
  AuthenticationFailure,
  NotFoundFailure,
  PermissionFailure,
  RejectionFailure,
  TerminalFailure,
  mistakeOf,
  proxyAsksForCredentials,
} from "./failures.js";
import type { TransferLimits } from "./limits.js";
import { announcedBy } from "./pages.js";
import type { Screen } from "./screen.js";
import type { Sink } from "./sink.js";

export interface RetryPolicy {
  /** Maximum number of attempts while the service answers, including the first. An outage has no such bound. */
  readonly attempts: number;
  /** Milliseconds after the first attempt during which further attempts may start. */
  readonly totalMs: number;
  /** Bound of the first pause, in milliseconds; it doubles with each attempt. */
  readonly baseMs: number;
  /** Largest bound of a pause, in milliseconds. */
  readonly capMs: number;
}

/** Source: docs/explanation/design.md, "Reading from the service". */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  totalMs: settings.retry_for.default * 1000,
  baseMs: 500,
  capMs: 60_000,
};

/** Pause before attempt `attempt + 1`: uniform between 0 and the doubling bound ("full jitter"). */
export function backoffMs(policy: RetryPolicy, attempt: number, random: Random): number {
  return random() * Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
}

/** Maximum in seconds; longer values are treated as this. */
const longestAsked = 1e10;

/** The date format that RFC 9110, 5.6.7 requires of senders. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds that a `Retry-After` header asks for: whole seconds or an HTTP date (RFC 9110, 10.2.3).
 * Undefined when there is none or it is in neither form.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestAsked) * 1000;
  if (!httpDate.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now.getTime());
}

export interface RetryContext {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly random: Random;
  readonly cooldown: Cooldown;
  readonly signal: AbortSignal | undefined;
  /** Whether a failure may be retried: a request that changes state only if the service did not process it. */
  readonly mayRetry: (failure: TransientFailure) => boolean;
  /** @param leftMs milliseconds during which further attempts may start */
  readonly onRetry: (failure: TransientFailure, attempt: number, waitMs: number, leftMs: number) => void;
}

function giveUp(failure: TransientFailure, reason: string): TransientFailure {
  return new TransientFailure(`${failure.message} ${reason}`, { cause: failure });
}

const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;

/** Runs `attempt` until it succeeds, fails for good, or the policy ends. Returns the value and the attempts made. */
export async function withRetry<T>(
  attempt: () => Promise<T>,
  context: RetryContext,
): Promise<{ value: T; attempts: number }> {
  const { policy, clock, random, cooldown, signal } = context;
  if (signal) setMaxListeners(0, signal);
  const started = clock.monotonicMs();
  for (let made = 1; ; made++) {
    await cooldown.wait(signal);
    if (signal?.aborted) throw new InterruptedError();
    try {
      return { value: await attempt(), attempts: made };
    } catch (error) {
      if (!(error instanceof TransientFailure) || !context.mayRetry(error)) throw error;
      const passed = clock.monotonicMs() - started;
      const left = Math.max(0, policy.totalMs - passed);
      const asked = error.retryAfterMs ?? 0;
      if (asked > left)
        throw giveUp(
          error,
          `It asks to wait ${seconds(asked)}, longer than the ${seconds(left)} left for this request.`,
        );
      if (!error.isOutage && made >= policy.attempts) throw giveUp(error, `Gave up after ${counted(made, "attempt")}.`);
      if (left === 0) throw giveUp(error, `Gave up after ${counted(made, "attempt")} in ${seconds(passed)}.`);
      const wait = asked + Math.min(backoffMs(policy, made, random), left - asked);
      context.onRetry(error, made, wait, left);
      if (error.retryAfterMs !== undefined) cooldown.pause(error.retryAfterMs);
      await clock.sleep(wait, signal).catch(() => {
        throw new InterruptedError();
      });
    }
  }
}

/** A pause that the service requested of one worker and that all workers observe. */
export interface Cooldown {
  pause(ms: number): void;
  wait(signal?: AbortSignal): Promise<void>;
}

export function createCooldown(clock: Clock): Cooldown {
  let until = -Infinity;
  return {
    pause(ms) {
      until = Math.max(until, clock.monotonicMs() + ms);
    },
    async wait(signal) {
      for (let left = until - clock.monotonicMs(); left > 0; left = until - clock.monotonicMs()) {
        await clock.sleep(left, signal).catch(() => {
          throw new InterruptedError();
        });
      }
    },
  };
}

export interface OutgoingRequest {
  readonly operation: string;
  readonly method: Dispatcher.HttpMethod;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

interface AttemptContext extends ReceiveContext {
  readonly dispatcher: Dispatcher;
  readonly signal: AbortSignal | undefined;
  /** Whether the service has answered this client before. */
  readonly wasAnswered: boolean;
}

const unsentCodes = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

const closings = new Set(["UND_ERR_SOCKET", "ECONNRESET"]);

/** The likely cause if a service closes the very first connection without a response. */
const closedHints: Readonly<Record<string, string>> = {
  "http:": " If it speaks TLS, write https:// in --base-url.",
  "https:": " If it asks for a client certificate, pass --client-cert and --client-key.",
};

/** What the codes of an outage say. */
const outages: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "unknown host name",
  EAI_AGAIN: "the host name cannot be resolved now",
  ECONNRESET: "the connection was reset",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no response in time",
  UND_ERR_BODY_TIMEOUT: "the body stalled",
  UND_ERR_SOCKET: "the connection closed early",
};

/** What the codes of an answer that came say. */
const damages: Readonly<Record<string, string>> = {
  ERR_ASSERTION: "the answer is not HTTP",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the body is shorter or longer than announced",
};

/**
 * A connection failure as a RecountError; errors that already are one pass through. A host name that is unknown after
 * the service has answered is an outage, not a mistake.
 */
export function transportFailure(
  outgoing: OutgoingRequest,
  error: unknown,
  signal: AbortSignal | undefined,
  wasAnswered: boolean,
): Error {
  if (error instanceof RecountError) return error;
  if (signal?.aborted) return new InterruptedError();
  const code = codeOf(error) ?? "";
  const { operation, url } = outgoing;
  const mistake = mistakeOf(error, url, wasAnswered);
  if (mistake !== undefined) return new UsageError(`${operation}: ${url.origin}: ${mistake}`, { cause: error });
  const text = messageOf(error).replaceAll(/\s+/g, " ").trim();
  // undici's words for a 100 or 101 that was not asked for.
  const isOdd = /^bad (response|upgrade)$/.test(text);
  const said = isOdd
    ? "the answer is one that was not asked for (100 or 101)"
    : (outages[code] ?? damages[code] ?? text);
  const isClosed = closings.has(code) && !wasAnswered;
  const hint = code === "ECONNREFUSED" ? " Check --base-url and any proxy." : isClosed && closedHints[url.protocol];
  const message = `${operation}: ${url.origin}: ${said}${code ? ` (${code})` : ""}.${hint || ""}`;
  const isOutage = !isOdd && (code in outages || /^E[A-Z]+$/.test(code) || text.startsWith("Proxy response"));
  return new TransientFailure(message, { cause: error, unsent: unsentCodes.has(code), isOutage });
}

const header = (response: Dispatcher.ResponseData, name: string) => {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

/** The beginning of a body, as text; empty if it cannot be read. */
async function excerpt(name: string, response: Dispatcher.ResponseData, context: AttemptContext): Promise<string> {
  response.body.on("error", () => undefined);
  let text = "";
  try {
    for await (const chunk of piecesOf(name, response, context)) {
      text += String(chunk);
      if (text.length > 300) break;
    }
  } catch {
    response.body.destroy();
  }
  return text.slice(0, 300).replaceAll(/\s+/g, " ").trim();
}

async function refusal(
  outgoing: OutgoingRequest,
  response: Dispatcher.ResponseData,
  context: AttemptContext,
): Promise<Error> {
  const { operation, url } = outgoing;
  const { statusCode: status } = response;
  const said = context.redact(await excerpt(operation, response, context));
  const detail = `${operation}: ${url.pathname} answered ${status}${said ? `: ${said}` : ""}.`;
  if (status === 401) return new AuthenticationFailure(operation, url.origin);
  if (status === 403) return new PermissionFailure(detail);
  if (status === 404 || status === 410) return new NotFoundFailure(operation, url.pathname, status);
  if (status === 451) return new PermissionFailure(detail, status);
  if (status === 407) return new UsageError(`${operation}: ${url.origin}: ${proxyAsksForCredentials}`);
  const isTransient =
    status === 408 || status === 425 || status === 429 || (status >= 500 && status !== 501 && status !== 505);
  if (isTransient) {
    const asked = retryAfterMs(header(response, "retry-after"), context.clock.now());
    const pushback = status === 429 || status === 503;
    return new TransientFailure(detail, { retryAfterMs: asked, pushback, isOutage: true });
  }
  if (status >= 200 && status < 300)
    return new TerminalFailure(
      `${detail} Only 200 answers a read: any other body may not be the whole list or record.`,
    );
  if (status === 304) return new TerminalFailure(`${detail} No condition was sent.`);
  if (status >= 300 && status < 400) {
    return new TerminalFailure(`${detail} Recount does not follow redirects: pass the final address as --base-url.`);
  }
  return status < 500 ? new RejectionFailure(detail, status) : new TerminalFailure(detail);
}

/** Whether a status answers a request: 200 a read, any success a change, and 304 a condition. */
function isAnswer({ method, headers }: OutgoingRequest, status: number): boolean {
  if (status === 304) return "if-none-match" in headers;
  return method === "GET" ? status === 200 : status >= 200 && status < 300;
}

/** Rejects with the signal's reason at once: undici heeds it only when there is a connection, perhaps through a proxy. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Sends one request and returns the response, its body unread. Throws one of the failures of failures.ts. */
export async function attempt(outgoing: OutgoingRequest, context: AttemptContext): Promise<Dispatcher.ResponseData> {
  const { operation, method, url, headers, body } = outgoing;
  const { dispatcher, limits } = context;
  const interim = new AbortController();
  const signal = AbortSignal.any([interim.signal, ...(context.signal ? [context.signal] : [])]);
  let interims = 0;
  const onInfo = () => {
    if (++interims <= limits.interim) return;
    interim.abort(new TransientFailure(`${operation}: more than ${limits.interim} interim (1xx) answers came.`));
  };
  let response: Dispatcher.ResponseData;
  try {
    response = await unlessAborted(
      signal,
      request(url, {
        method,
        headers: { ...headers },
        body: body ?? null,
        dispatcher,
        signal,
        onInfo,
      }),
    );
  } catch (error) {
    throw transportFailure(outgoing, error, context.signal, context.wasAnswered);
  }
  if (isAnswer(outgoing, response.statusCode)) return response;
  throw await refusal(outgoing, response, context);
}

/** A decoded body: the sink's result, its SHA-256 (hexadecimal) and its size in bytes, all as masked. */
export interface Received<T> {
  readonly value: T;
  readonly sha256: string;
  readonly bytes: number;
  /** Secrets of this client in the body. */
  readonly secrets: number;
}

/** The JSON value that a body must be; `any` where the interface does not say, and perhaps none at all. */
export type Expected = "list" | "object" | "any";

interface ReceiveContext {
  readonly limits: TransferLimits;
  readonly clock: Clock;
  readonly redact: Redact;
  /** Finds secrets in the body, and masks them if it was made to. */
  readonly screen?: Screen;
}

const brackets = { list: "[]", object: "{}" } as const;
/** Milliseconds of waiting over which the rate of a body is measured. */
const rateWindowMs = 60_000;

const isBlank = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const inGiB = (bytes: number) => `${Math.round((bytes / 1024 ** 3) * 1e6) / 1e6} GiB`;

function tooLarge(name: string, { bodyBytes }: TransferLimits): TerminalFailure {
  return new TerminalFailure(`${name}: the body is larger than ${inGiB(bodyBytes)}, the maximum.`);
}

/** The pieces of a body as sent. Only time spent waiting for the service counts, not time spent on what came. */
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
      throw new TransientFailure(`${name}: the body took longer than ${Math.round(limits.bodyMs / 60_000)} min.`);
    if (window.waitedMs < rateWindowMs) return;
    const rate = (window.bytes * 1000) / window.waitedMs;
    if (rate < limits.bytesPerSecond)
      throw new TransientFailure(
        `${name}: the body comes too slowly: ${rate.toPrecision(2)} bytes/s in the last minute, under ${limits.bytesPerSecond}.`,
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

/** The pieces of a body, decoded. */
function piecesOf(
  name: string,
  { headers, body }: Pick<Dispatcher.ResponseData, "headers" | "body">,
  context: Pick<ReceiveContext, "limits" | "clock">,
): AsyncIterable<Buffer> {
  return decoded(name, paced(name, body as AsyncIterable<Buffer>, context), headers["content-encoding"]);
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

/** @throws TransientFailure for a trailer that names an error: a service that failed after its headers has no other way. */
function checkTrailers(name: string, trailers: object, redact: Redact): void {
  for (const [field, value] of Object.entries(trailers) as [string, unknown][]) {
    const said = String(value).trim();
    if (!/error|fail|abort/i.test(field) || /^(0|no|none|false|null|ok)?$/i.test(said)) continue;
    const shown = redact(`${field}: ${said}`).slice(0, 200);
    throw new TransientFailure(`${name}: the service reports an error after the body (${shown}).`);
  }
}

function checkBegin(name: string, expected: Expected, chunk: Buffer, at: number, redact: Redact): void {
  const first = chunk[at];
  if (first === 0xef)
    throw new TerminalFailure(
      `${name}: the body begins with a byte order mark, which JSON does not allow (RFC 8259, 8.1).`,
    );
  const odd = oddBodies.find(([begin]) => begin.every((byte, i) => chunk[at + i] === byte));
  if (odd !== undefined) throw new TransientFailure(`${name}: the body is ${odd[1]}.`);
  if (expected === "any" || first === brackets[expected].charCodeAt(0)) return;
  const text = redact(chunk.toString("utf8", at, at + 60))
    .replaceAll(/\s+/g, " ")
    .trim();
  const isObject = expected === "list" && first === brackets.object.charCodeAt(0);
  const problem = isObject ? "is an object, not the list that was asked for" : "is not the expected JSON";
  throw new TransientFailure(`${name}: the body ${problem}. It begins with ${text} …`);
}

/**
 * Streams the body of a response to operation `name` into a sink and hashes it; memory does not grow with the body.
 * Passes on errors of the stream and the sink. @throws TransientFailure for a truncated, corrupted or slow body,
 * TerminalFailure for one that is too large, of an unknown encoding, or one page of a list.
 */
export async function receive<T>(
  name: string,
  expected: Expected,
  { headers, body, trailers = {} }: Pick<Dispatcher.ResponseData, "headers" | "body"> & { readonly trailers?: object },
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
  // A body that is destroyed reports that as an error to whoever listens, and ends the process if nobody does.
  body.on("error", () => undefined);
  try {
    const announced = expected === "list" ? announcedBy(name, headers, redact) : undefined;
    await sink.start();
    for await (const piece of piecesOf(name, { headers, body }, context))
      await take(screen === undefined ? piece : screen.pass(piece));
    if (screen !== undefined) await take(screen.end());
    checkTrailers(name, trailers, redact);
    if (expected !== "any") {
      // A truncated body delimited by the end of its connection looks complete: only its last byte shows it.
      const close = brackets[expected].charAt(1);
      if (last === undefined) throw new TransientFailure(`${name}: the body is empty.`);
      if (last !== close.charCodeAt(0))
        throw new TransientFailure(`${name}: the body ends before its closing ${close}: it is truncated.`);
    }
    const sha256 = hash.digest("hex");
    const value = await sink.finish({ sha256, bytes, announced }).catch((error: unknown) => {
      if (error instanceof RecountError) throw error;
      throw new TerminalFailure(`${name}: the body cannot be stored: ${messageOf(error)}`, { cause: error });
    });
    return { value, sha256, bytes, secrets: screen?.found ?? 0 };
  } catch (error) {
    body.destroy();
    await sink.abort();
    if (isCorrupted(error))
      throw new TransientFailure(`${name}: the compressed body is corrupted: ${error.message}.`, { cause: error });
    throw error;
  }
}
