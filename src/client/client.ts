import type { Dispatcher } from "undici";
import {
  systemClock,
  type Clock,
  UsageError,
  silentLog,
  type Log,
  systemRandom,
  type Random,
  redactor,
  type Redact,
} from "../platform/index.js";
import {
  operation,
  operationNames,
  pathOf,
  queryParameters,
  type ArgumentsOf,
  type BodyEncoding,
  type OperationName,
  type ResponseOf,
} from "../contract/index.js";
import { type RequestLimit, defaultLimits, type TransferLimits } from "./limits.js";
import {
  attempt,
  transportFailure,
  type OutgoingRequest,
  createCooldown,
  defaultRetryPolicy,
  withRetry,
  type RetryPolicy,
  receive,
  type Expected,
  type Received,
} from "./transfer.js";
import { encoders } from "./bodies.js";
import { credentialHeaders, secretsOf, type Credentials } from "./credentials.js";
import { TransientFailure } from "./failures.js";
import { type Network, createTransport } from "./network.js";
import { checkAnnounced } from "./pages.js";
import { createSearch } from "./screen.js";
import { fileSink, memorySink, type Sink } from "./sink.js";

/** A finished download. */
interface Transfer<T> {
  readonly status: number;
  readonly attempts: number;
  readonly etag: string | null;
  readonly elapsed_ms: number;
  /** The decoded body; null when the service answered 304. */
  readonly body: Received<T> | null;
}

interface DownloadOptions {
  /** Validator of an earlier body; the service may answer 304. */
  readonly etag?: string | undefined;
  /** Aborts only this download. */
  readonly signal?: AbortSignal | undefined;
  readonly limit?: RequestLimit | undefined;
  /** Masks the credentials of this client in the body; default false. */
  readonly mask?: boolean;
}

type AnyArguments = Readonly<Record<string, unknown>>;

type Methods = { readonly [N in OperationName]: (args: ArgumentsOf<N>) => Promise<ResponseOf<N>> };

/** One method per operation of the contract, and the streaming download that lists need. */
export interface Client extends Methods {
  /** Address of the service with its base path, without a slash at the end. */
  readonly address: string;
  /** Hides this client's credentials in a text. */
  readonly redact: Redact;
  /** Any operation by name, its response parsed. For single records and short lists. */
  call(name: OperationName, args: AnyArguments): Promise<unknown>;
  /** Streams the response of a reading operation into a file or a sink, whatever its size. */
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
  /** The spelling of paths that have two. Default `path`. */
  readonly spelling?: "path" | "alias";
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
    throw new UsageError(`The service address ${JSON.stringify(baseUrl)} is not an http or https URL.`);
  }
  if (url.username || url.password)
    throw new UsageError(
      "The service address contains a password. Pass credentials by environment variable or key file.",
    );
  if (url.search || url.hash)
    throw new UsageError(`The service address ${JSON.stringify(url.origin + url.pathname)} must not contain ? or #.`);
  return url;
}

/** An ETag; null if there is none, or it repeats a secret. */
function validatorOf(etag: string | string[] | undefined, redact: Redact): string | null {
  return typeof etag === "string" && redact(etag) === etag ? etag : null;
}

function urlOf(base: URL, name: OperationName, args: AnyArguments, spelling: ClientOptions["spelling"]): URL {
  const url = new URL(base.href.replace(/\/+$/, "") + pathOf(name, args, spelling));
  const { query } = operation(name);
  for (const parameter of Object.keys(query ? queryParameters[query].properties : {})) {
    const value = args[parameter];
    if (typeof value === "string" || typeof value === "number") url.searchParams.set(parameter, String(value));
  }
  return url;
}

/** Opens a client. Credentials stay in memory; no message contains them. */
export function createClient(options: ClientOptions, effects: ClientEffects = {}): Client {
  const { clock = systemClock, random = systemRandom, log = silentLog } = effects;
  const base = serviceAddress(options.baseUrl);
  const limits = { ...defaultLimits, ...options.limits };
  const dispatcher = createTransport(limits, options.network);
  const secrets = secretsOf(options.credentials);
  const redact = redactor(secrets);
  const search = createSearch(secrets);
  const cooldown = createCooldown(clock);
  const policy = { ...defaultRetryPolicy, ...options.retry };
  const { signal, encoding = "application/json" } = options;
  const encode = encoders[encoding];
  const context = { dispatcher, clock, redact, limits };
  let wasAnswered = false;

  function outgoingOf(name: OperationName, args: AnyArguments, extra: Record<string, string>): OutgoingRequest {
    const { method, body } = operation(name);
    const sent = body !== undefined && args.body !== undefined ? encode(args.body) : undefined;
    const headers = {
      accept: "application/json",
      ...credentialHeaders(options.credentials),
      ...(sent ? { "content-type": sent.type } : {}),
      ...extra,
    };
    return {
      operation: name,
      method,
      url: urlOf(base, name, args, options.spelling),
      headers,
      body: sent?.text,
    };
  }

  /** One request whose response `read` consumes, retried as a whole. */
  function send<T>(
    outgoing: OutgoingRequest,
    read: (response: Dispatcher.ResponseData) => Promise<T>,
    { signal, limit }: Pick<DownloadOptions, "signal" | "limit">,
  ): Promise<{ value: T; attempts: number }> {
    const once = async () => {
      const response = await attempt(outgoing, { ...context, signal, wasAnswered });
      wasAnswered = true;
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
      onRetry: (failure, made, waitMs) => {
        if (failure.pushback) limit?.pushedBack();
        log.warn(
          `${failure.message} Retrying in ${(waitMs / 1000).toFixed(1)} s (attempt ${made} of ${policy.attempts}).`,
        );
      },
    });
  }

  /** The JSON value that the body of a response must be. */
  function expectedOf(name: OperationName): Expected {
    const { method, list } = operation(name);
    if (method !== "GET") return "any";
    return list ? "list" : "object";
  }

  async function call(name: OperationName, args: AnyArguments): Promise<unknown> {
    const { value } = await send(
      outgoingOf(name, args, {}),
      async (response) => {
        const sink = memorySink();
        const { text, announced } = (await receive(name, expectedOf(name), response, sink, context)).value;
        if (text.trim() === "") return null;
        try {
          const value = JSON.parse(text) as unknown;
          if (Array.isArray(value)) checkAnnounced(name, value.length, announced);
          return value;
        } catch (error) {
          if (error instanceof TransientFailure) throw error;
          const begins = JSON.stringify(redact(text.slice(0, 80)));
          throw new TransientFailure(`${name}: the response is not JSON: ${begins}.`, { cause: error });
        }
      },
      { signal },
    );
    return value;
  }

  async function download<T = string>(
    name: OperationName,
    args: AnyArguments,
    to: string | Sink<T>,
    { etag, signal: own, limit, mask = false }: DownloadOptions = {},
  ): Promise<Transfer<T>> {
    const sink = (typeof to === "string" ? fileSink(to) : to) as Sink<T>;
    const either = own && signal ? AbortSignal.any([own, signal]) : (own ?? signal);
    const outgoing = outgoingOf(name, args, {
      "accept-encoding": "gzip",
      ...(etag === undefined ? {} : { "if-none-match": etag }),
    });
    const transfer = async (): Promise<Transfer<T>> => {
      const started = clock.monotonicMs();
      const { value, attempts } = await send(
        outgoing,
        async (response) => {
          const { statusCode: status, headers } = response;
          if (status === 304) await response.body.dump();
          const screen = search.screen(mask);
          const received =
            status === 304 ? null : await receive(name, expectedOf(name), response, sink, { ...context, screen });
          return { status, etag: validatorOf(headers.etag, redact), body: received };
        },
        { signal: either, limit },
      );
      return { ...value, attempts, elapsed_ms: Math.round(clock.monotonicMs() - started) };
    };
    return limit ? limit(transfer) : transfer();
  }

  const methods = Object.fromEntries(
    operationNames.map((name) => [name, (args: AnyArguments) => call(name, args)]),
  ) as unknown as Methods;
  return {
    ...methods,
    address: base.href.replace(/\/+$/, ""),
    redact,
    call,
    download,
    close: () => dispatcher.destroy(),
  };
}
