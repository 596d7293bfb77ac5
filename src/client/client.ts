/** The client: one method per operation of the contract, and streaming downloads. */
import type { Dispatcher } from "undici";
import {
  operation,
  operationNames,
  requestPath,
  queryParameters,
  type ArgumentsOf,
  type BodyEncoding,
  type OperationName,
  type ResponseOf,
} from "../contract/index.js";
import { redactor, type Redact } from "./secrets.js";
import {
  systemClock,
  type Clock,
  UsageError,
  silentLog,
  type Log,
  systemRandom,
  type Random,
} from "../platform/index.js";
import { encoders } from "./bodies.js";
import { TransientFailure } from "./failures.js";
import { type RequestLimit, transferLimits, type TransferLimits } from "./limits.js";
import { type Network, createTransport } from "./network.js";
import { checkAnnounced } from "./pages.js";
import { createSearch } from "./screen.js";
import { fileSink, memorySink, type Sink } from "./sink.js";
import { attempt, transportFailure, type OutgoingRequest } from "./attempt.js";
import { receive, type Expected, type Received } from "./receive.js";
import {
  createCooldown,
  defaultRetryPolicy,
  withRetry,
  type Cooldown,
  type RetryPolicy,
} from "./retry.js";

/** One of the three schemes of service-api.md, "Authentication". */
export type Credentials =
  | { readonly scheme: "api-key"; readonly key: string }
  | { readonly scheme: "basic"; readonly username: string; readonly password: string }
  | { readonly scheme: "cookie"; readonly sessionid: string };

function authentication(credentials: Credentials): {
  headers: Record<string, string>;
  secrets: string[];
} {
  switch (credentials.scheme) {
    case "api-key":
      return {
        headers: { authorization: `Api-Key ${credentials.key}` },
        secrets: [credentials.key],
      };
    case "basic": {
      const { username, password } = credentials;
      const pair = Buffer.from(`${username}:${password}`, "utf8").toString("base64");
      return { headers: { authorization: `Basic ${pair}` }, secrets: [password, pair] };
    }
    case "cookie":
      return {
        headers: { cookie: `sessionid=${credentials.sessionid}` },
        secrets: [credentials.sessionid],
      };
  }
}

interface Transfer<T> {
  readonly status: number;
  readonly attempts: number;
  readonly etag: string | null;
  readonly elapsed_ms: number;
  /** The decoded body; null when the service answered 304. */
  readonly body: Received<T> | null;
}

interface DownloadOptions {
  readonly etag?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly limit?: RequestLimit | undefined;
  readonly mask?: boolean;
}

type AnyArguments = Readonly<Record<string, unknown>>;

type Methods = { readonly [N in OperationName]: (args: ArgumentsOf<N>) => Promise<ResponseOf<N>> };

export interface Client extends Methods {
  readonly address: string;
  readonly redact: Redact;
  call(name: OperationName, args: AnyArguments): Promise<unknown>;
  download<T = string>(
    name: OperationName,
    args: AnyArguments,
    to: string | Sink<T>,
    options?: DownloadOptions,
  ): Promise<Transfer<T>>;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly network?: Network;
  readonly retry?: Partial<RetryPolicy>;
  /** Bounds of one attempt; TransferLimits states their defaults. */
  readonly limits?: Partial<TransferLimits>;
  readonly signal?: AbortSignal;
  /** How bodies are sent. Default JSON. */
  readonly encoding?: BodyEncoding;
}

interface ClientEffects {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly log?: Log;
}

/** @throws UsageError naming an address that is not an http or https URL. */
function serviceAddress(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `The service address ${JSON.stringify(baseUrl)} is not an http or https URL.`,
    );
  }
  if (url.username || url.password)
    throw new UsageError(
      "The service address contains a password. Pass credentials by environment variable or " +
        "key file.",
    );
  if (url.search || url.hash)
    throw new UsageError(
      `The service address ${JSON.stringify(url.origin + url.pathname)} must not contain ? or #.`,
    );
  return url;
}

/** An ETag; null if there is none, or it repeats a secret. */
function validatorOf(etag: string | string[] | undefined, redact: Redact): string | null {
  return typeof etag === "string" && redact(etag) === etag ? etag : null;
}

function requestUrl(base: URL, name: OperationName, args: AnyArguments): URL {
  const url = new URL(base.href.replace(/\/+$/, "") + requestPath(name, args));
  const { query } = operation(name);
  for (const parameter of Object.keys(query ? queryParameters[query].properties : {})) {
    const value = args[parameter];
    if (typeof value === "string" || typeof value === "number")
      url.searchParams.set(parameter, String(value));
  }
  return url;
}

interface ClientSession {
  readonly options: ClientOptions;
  readonly base: URL;
  readonly dispatcher: Dispatcher;
  readonly limits: TransferLimits;
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly redact: Redact;
  readonly search: ReturnType<typeof createSearch>;
  readonly cooldown: Cooldown;
  wasAnswered: boolean;
}

function openClientSession(options: ClientOptions, effects: ClientEffects): ClientSession {
  const { clock = systemClock, random = systemRandom, log = silentLog } = effects;
  const { secrets } = authentication(options.credentials);
  const limits = { ...transferLimits, ...options.limits };
  const base = serviceAddress(options.baseUrl);
  return {
    options,
    base,
    dispatcher: createTransport(limits, base, options.network),
    limits,
    policy: { ...defaultRetryPolicy, ...options.retry },
    clock,
    random,
    log,
    redact: redactor(secrets),
    search: createSearch(secrets),
    cooldown: createCooldown(clock),
    wasAnswered: false,
  };
}

function outgoingOf(
  { options, base }: ClientSession,
  name: OperationName,
  args: AnyArguments,
  extra: Readonly<Record<string, string>> = {},
): OutgoingRequest {
  const { method, body } = operation(name);
  const encode = encoders[options.encoding ?? "application/json"];
  const sent = body !== undefined && args.body !== undefined ? encode(args.body) : undefined;
  const headers = {
    accept: "application/json",
    ...authentication(options.credentials).headers,
    ...(sent ? { "content-type": sent.type } : {}),
    ...extra,
  };
  return {
    operation: name,
    method,
    url: requestUrl(base, name, args),
    headers,
    body: sent?.text,
  };
}

function sendRequest<T>(
  session: ClientSession,
  outgoing: OutgoingRequest,
  read: (response: Dispatcher.ResponseData) => Promise<T>,
  { signal, limit }: Pick<DownloadOptions, "signal" | "limit">,
): Promise<{ value: T; attempts: number }> {
  const { policy, clock, random, cooldown, log } = session;
  const once = async () => {
    const response = await attempt(outgoing, { ...session, signal });
    session.wasAnswered = true;
    return read(response).catch((error: unknown) => {
      throw transportFailure(outgoing, error, signal, true);
    });
  };
  return withRetry(once, {
    policy,
    clock,
    random,
    cooldown,
    signal,
    mayRetry: (failure) => outgoing.method === "GET" || failure.unsent || failure.pushback,
    onRetry: (failure, made, waitMs, leftMs) => {
      if (failure.pushback) limit?.pushedBack();
      const bound = failure.isOutage
        ? `for at most ${Math.ceil(leftMs / 1000)} s more`
        : `attempt ${made} of ${policy.attempts}`;
      log.warn(`${failure.message} Retrying in ${(waitMs / 1000).toFixed(1)} s (${bound}).`);
    },
  });
}

function expectedOf(name: OperationName): Expected {
  const { method, list } = operation(name);
  if (method !== "GET") return "any";
  return list ? "list" : "object";
}

async function call(
  session: ClientSession,
  name: OperationName,
  args: AnyArguments,
): Promise<unknown> {
  const read = async (response: Dispatcher.ResponseData): Promise<unknown> => {
    const { text, announced } = (
      await receive(name, expectedOf(name), response, memorySink(), session)
    ).value;
    if (text.trim() === "") return null;
    const value = parsedAnswer(name, text, session.redact);
    if (Array.isArray(value)) checkAnnounced(name, value.length, announced);
    return value;
  };
  return (
    await sendRequest(session, outgoingOf(session, name, args), read, {
      signal: session.options.signal,
    })
  ).value;
}

/** @throws TransientFailure for a text that is not JSON. */
function parsedAnswer(name: OperationName, text: string, redact: Redact): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const begins = JSON.stringify(redact(text.slice(0, 80)));
    throw new TransientFailure(`${name}: the response is not JSON: ${begins}.`, { cause: error });
  }
}

async function download<T>(
  session: ClientSession,
  name: OperationName,
  args: AnyArguments,
  sink: Sink<T>,
  { etag, signal: own, limit, mask = false }: DownloadOptions,
): Promise<Transfer<T>> {
  const { clock, redact, search, options } = session;
  const signals = [own, options.signal].filter((one) => one !== undefined);
  const signal = signals.length === 2 ? AbortSignal.any(signals) : signals[0];
  const outgoing = outgoingOf(session, name, args, {
    "accept-encoding": "gzip",
    ...(etag === undefined ? {} : { "if-none-match": etag }),
  });
  const read = async (response: Dispatcher.ResponseData) => {
    const { statusCode: status, headers } = response;
    if (status === 304) await response.body.dump();
    const screen = search.screen(mask);
    const body =
      status === 304
        ? null
        : await receive(name, expectedOf(name), response, sink, { ...session, screen });
    return { status, etag: validatorOf(headers.etag, redact), body };
  };
  const transfer = async (): Promise<Transfer<T>> => {
    const started = clock.monotonicMs();
    const { value, attempts } = await sendRequest(session, outgoing, read, { signal, limit });
    return { ...value, attempts, elapsed_ms: Math.round(clock.monotonicMs() - started) };
  };
  return limit ? limit(transfer) : transfer();
}

/** Opens a client. Credentials stay in memory; no message contains them. */
export function createClient(options: ClientOptions, effects: ClientEffects = {}): Client {
  const session = openClientSession(options, effects);
  const methods = Object.fromEntries(
    operationNames.map((name) => [name, (args: AnyArguments) => call(session, name, args)]),
  ) as unknown as Methods;
  return {
    ...methods,
    address: session.base.href.replace(/\/+$/, ""),
    redact: session.redact,
    call: (name, args) => call(session, name, args),
    download: <T = string>(
      name: OperationName,
      args: AnyArguments,
      to: string | Sink<T>,
      own: DownloadOptions = {},
    ) =>
      download(session, name, args, (typeof to === "string" ? fileSink(to) : to) as Sink<T>, own),
    close: () => session.dispatcher.destroy(),
  };
}
