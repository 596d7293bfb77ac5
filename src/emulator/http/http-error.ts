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
