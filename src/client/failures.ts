import { exitCodes, ExportError, RecountError } from "../platform/index.js";

/** The request failed, and a retry will not help. */
export class TerminalFailure extends ExportError {
  override readonly name: string = "TerminalFailure";
}

/** The service rejected the credentials (401): a configuration error, exit 4. */
export class AuthenticationFailure extends RecountError {
  override readonly name = "AuthenticationFailure";
  constructor(operation: string, where: string) {
    super(
      `${operation}: ${where} rejects the credentials (401). Check RECOUNT_API_KEY or the key file.`,
      exitCodes.usage,
    );
  }
}

/** The credentials are known but may not use this operation (403). */
export class PermissionFailure extends TerminalFailure {
  override readonly name = "PermissionFailure";
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

/** Not found (404): usually a mistyped identifier, exit 4. */
export class NotFoundFailure extends RecountError {
  override readonly name = "NotFoundFailure";
  constructor(operation: string, path: string) {
    super(
      `${operation}: nothing at ${path} (404). Check the project and experiment identifiers and the address.`,
      exitCodes.usage,
    );
  }
}

/** A failure of the network or the service that a retry may resolve. */
export class TransientFailure extends ExportError {
  override readonly name = "TransientFailure";
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True when the service is overloaded (429, 503). */
  readonly pushback: boolean;
  /** True when the request cannot have reached the service. */
  readonly unsent: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { retryAfterMs?: number | undefined; pushback?: boolean; unsent?: boolean } = {},
  ) {
    super(message, options);
    this.retryAfterMs = options.retryAfterMs;
    this.pushback = options.pushback ?? false;
    this.unsent = options.unsent ?? false;
  }
}
