/** One request: sent, and answered or refused. */
import { request, type Dispatcher } from "undici";
import {
  codeOf,
  InterruptedError,
  messageOf,
  RecountError,
  UsageError,
} from "../platform/index.js";
import {
  AuthenticationFailure,
  mistakeOf,
  NotFoundFailure,
  PermissionFailure,
  proxyAsksForCredentials,
  RejectionFailure,
  TerminalFailure,
  TransientFailure,
} from "./failures.js";
import { bodyPieces, type ReceiveContext } from "./receive.js";
import { retryAfterMs } from "./retry.js";

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

const closedHints: Readonly<Record<string, string>> = {
  "http:": " If it speaks TLS, write https:// in --base-url.",
  "https:": " If it asks for a client certificate, pass --client-cert and --client-key.",
};

const outages: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ENOTFOUND: "unknown host name",
  EAI_AGAIN: "the host name cannot be resolved now",
  ECONNRESET: "the connection was reset",
  UND_ERR_CONNECT_TIMEOUT: "connection timed out",
  UND_ERR_HEADERS_TIMEOUT: "response timed out",
  UND_ERR_BODY_TIMEOUT: "the body stalled",
  UND_ERR_SOCKET: "the connection closed early",
};

const damagedAnswers: Readonly<Record<string, string>> = {
  ERR_ASSERTION: "the answer is not HTTP",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the body is shorter or longer than announced",
};

/** A host name that is unknown after the service has answered is an outage, not a mistake. */
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
  if (mistake !== undefined)
    return new UsageError(`${operation}: ${url.origin}: ${mistake}`, { cause: error });
  const text = messageOf(error).replaceAll(/\s+/g, " ").trim();
  // undici's words for a 100 or 101 that was not asked for.
  const isOdd = /^bad (response|upgrade)$/.test(text);
  const said = isOdd
    ? "the answer is one that was not asked for (100 or 101)"
    : (outages[code] ?? damagedAnswers[code] ?? text);
  const isClosed = closings.has(code) && !wasAnswered;
  const hint =
    code === "ECONNREFUSED"
      ? " Check --base-url and any proxy."
      : isClosed && closedHints[url.protocol];
  const message = `${operation}: ${url.origin}: ${said}${code ? ` (${code})` : ""}.${hint || ""}`;
  const isOutage =
    !isOdd && (code in outages || /^E[A-Z]+$/.test(code) || text.startsWith("Proxy response"));
  return new TransientFailure(message, { cause: error, unsent: unsentCodes.has(code), isOutage });
}

const header = (response: Dispatcher.ResponseData, name: string) => {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
};

async function excerpt(
  name: string,
  response: Dispatcher.ResponseData,
  context: AttemptContext,
): Promise<string> {
  response.body.on("error", () => undefined);
  let text = "";
  try {
    for await (const chunk of bodyPieces(name, response, context)) {
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
  if (status === 407)
    return new UsageError(`${operation}: ${url.origin}: ${proxyAsksForCredentials}`);
  const isTransient =
    status === 408 ||
    status === 425 ||
    status === 429 ||
    (status >= 500 && status !== 501 && status !== 505);
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
    return new TerminalFailure(
      `${detail} Recount does not follow redirects: pass the final address as --base-url.`,
    );
  }
  return status < 500 ? new RejectionFailure(detail, status) : new TerminalFailure(detail);
}

function isAnswer({ method, headers }: OutgoingRequest, status: number): boolean {
  if (status === 304) return "if-none-match" in headers;
  return method === "GET" ? status === 200 : status >= 200 && status < 300;
}

/** undici heeds a signal only when there is a connection. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    signal.addEventListener("abort", onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

/** Sends one request; the body of its response is unread. Throws a failure of failures.ts. */
export async function attempt(
  outgoing: OutgoingRequest,
  context: AttemptContext,
): Promise<Dispatcher.ResponseData> {
  const { operation, method, url, headers, body } = outgoing;
  const { dispatcher, limits } = context;
  const interim = new AbortController();
  const signal = AbortSignal.any([interim.signal, ...(context.signal ? [context.signal] : [])]);
  let interims = 0;
  const onInfo = () => {
    if (++interims <= limits.interim) return;
    interim.abort(
      new TransientFailure(`${operation}: more than ${limits.interim} interim (1xx) answers came.`),
    );
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
