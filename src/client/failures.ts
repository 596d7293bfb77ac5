/** What a request fails with, by what the caller can do. */
import { exitCodes, ExportError, RecountError, codeOf, messageOf } from "../platform/index.js";

/** The request failed, and a retry will not help. */
export class TerminalFailure extends ExportError {
  override readonly name: string = "TerminalFailure";
}

export class AuthenticationFailure extends RecountError {
  override readonly name = "AuthenticationFailure";
  constructor(operation: string, where: string) {
    super(
      `${operation}: ${where} rejects the credentials (401). Check RECOUNT_API_KEY or the ` +
        "key file.",
      exitCodes.usage,
    );
  }
}

export class PermissionFailure extends TerminalFailure {
  override readonly name = "PermissionFailure";
  constructor(
    message: string,
    readonly status: number = 403,
  ) {
    super(message);
  }
}

/** The service rejected this very request (another status of 400 to 499). */
export class RejectionFailure extends TerminalFailure {
  override readonly name = "RejectionFailure";
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Not found (404, 410): usually a mistyped identifier, exit 4. */
export class NotFoundFailure extends RecountError {
  override readonly name = "NotFoundFailure";
  constructor(
    operation: string,
    path: string,
    readonly status: number = 404,
  ) {
    super(
      `${operation}: nothing at ${path} (${status}). Check the project and experiment ` +
        "identifiers and the address.",
      exitCodes.usage,
    );
  }
}

/** A failure of the network or the service that a retry may resolve. */
export class TransientFailure extends ExportError {
  override readonly name = "TransientFailure";
  /** Milliseconds that the service asked to wait. */
  readonly retryAfterMs: number | undefined;
  /** True when the service is overloaded (429, 503). */
  readonly pushback: boolean;
  /** True when the request cannot have reached the service. */
  readonly unsent: boolean;
  /** The service, or the way to it, is out. Otherwise the answer is damaged. */
  readonly isOutage: boolean;

  constructor(
    message: string,
    options: ErrorOptions & {
      retryAfterMs?: number | undefined;
      pushback?: boolean;
      unsent?: boolean;
      isOutage?: boolean;
    } = {},
  ) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
    this.pushback = options.pushback ?? false;
    this.unsent = options.unsent ?? false;
    this.isOutage = options.isOutage ?? false;
  }
}

export const proxyAsksForCredentials =
  "the proxy asks for credentials (407). Write them into HTTPS_PROXY or HTTP_PROXY: " +
  "http://user:password@host:port.";

function proxyRefusal(status: number): string | undefined {
  if (status === 407) return proxyAsksForCredentials;
  if (status < 400 || status >= 500 || status === 408 || status === 429) return undefined;
  const settings = "HTTPS_PROXY, HTTP_PROXY and NO_PROXY";
  return `the proxy refuses the connection (${status}). Check ${settings}.`;
}

const connectionMistakes: readonly (readonly [code: RegExp, says: (code: string) => string])[] = [
  [
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/,
    () => "it does not speak TLS there. Check http:// or https:// and the port in --base-url.",
  ],
  [
    /CERTIFICATE_REQUIRED|HANDSHAKE_FAILURE|BAD_CERTIFICATE/,
    (code) => `it refused the TLS handshake (${code}). Check --client-cert and --client-key.`,
  ],
  [
    /^(CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|ERR_TLS_CERT_ALTNAME_INVALID)$/,
    (code) =>
      `its certificate is not valid for this name and time (${code}). Check --base-url and ` +
      "the service's certificate.",
  ],
  [
    /CERT|^INVALID_CA$|LEAF_SIGNATURE|^CRL_|^INVALID_PURPOSE$|^PATH_LENGTH_EXCEEDED$/,
    (code) =>
      `its certificate is not trusted (${code}). Pass the authority's certificate as --ca-file.`,
  ],
];

const firstMistakes: typeof connectionMistakes = [
  [/^ENOTFOUND$/, () => "unknown host name (ENOTFOUND). Check --base-url and the proxy."],
];

export function mistakeOf(error: unknown, url: URL, wasAnswered: boolean): string | undefined {
  const message = messageOf(error);
  const refused = /^Proxy response \((\d+)\)/.exec(message)?.[1];
  if (refused !== undefined) return proxyRefusal(Number(refused));
  if (message.startsWith("Proxy Authentication Required")) return proxyAsksForCredentials;
  // By its name, since its class would load the whole client.
  const isUnparsed = error instanceof Error && error.name === "HTTPParserError";
  const begins = isUnparsed && "data" in error ? String(error.data) : "";
  if (!wasAnswered && url.protocol === "http:" && begins.startsWith("\x15\x03"))
    return "it speaks TLS there. Write https:// in --base-url.";
  const code = codeOf(error) ?? "";
  return [...connectionMistakes, ...(wasAnswered ? [] : firstMistakes)].find(([pattern]) =>
    pattern.test(code),
  )?.[1](code);
}
