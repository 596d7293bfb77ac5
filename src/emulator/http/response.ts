// Responses and refusals of the emulator.
/** The body is `{detail, code, errors?}`: an assumption, docs/reference/emulator.md. */
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
    return {
      detail: this.message,
      code: this.code,
      ...(this.errors.length > 0 ? { errors: this.errors } : {}),
    };
  }
}

export const denied = (detail: string): HttpError =>
  new HttpError(403, "permission_denied", detail);

export const notFound = (what: string): HttpError =>
  new HttpError(404, "not_found", `There is no such ${what}.`);

export const invalid = (
  detail: string,
  errors: readonly { field: string; message: string }[] = [],
): HttpError => new HttpError(400, "invalid", detail, errors);

export const invalidField = (field: string, message: string): HttpError =>
  invalid(`Body: ${field} ${message}.`, [{ field, message }]);

export const conflict = (detail: string): HttpError => new HttpError(409, "conflict", detail);

const codes: Record<number, string> = { 413: "payload_too_large", 415: "unsupported_media_type" };

export function httpErrorOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const { statusCode: status = 500, message = "" } = error as {
    statusCode?: number;
    message?: string;
  };
  return status >= 500
    ? new HttpError(500, "internal_error", "The service failed on this request.")
    : new HttpError(status, codes[status] ?? "invalid", message);
}

/** The body is a text, the JSON texts of a list's rows, or none. */
export interface OutgoingResponse {
  status: number;
  headers: Record<string, string>;
  body: string | readonly string[] | null;
}

export const textResponse = (type: string, body: string, status = 200): OutgoingResponse => ({
  status,
  headers: { "content-type": type },
  body,
});

export const json = (status: number, value: unknown): OutgoingResponse =>
  textResponse("application/json", JSON.stringify(value), status);

export const listResponse = <T>(
  rows: Iterable<T>,
  present: (row: T) => unknown = (row) => row,
): OutgoingResponse => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: Array.from(rows, (row) => JSON.stringify(present(row))),
});
