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
