/** Errors by exit code (docs/reference/exit-codes.md), and what thrown values say. */

export const exitCodes = {
  ok: 0,
  unexplained: 1,
  inconclusive: 2,
  export: 3,
  usage: 4,
  internal: 5,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const fromWorst = (
  ["interrupted", "internal", "usage", "export", "unexplained", "inconclusive"] as const
).map((name): ExitCode => exitCodes[name]);

export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return fromWorst.find((code) => codes.includes(code)) ?? exitCodes.ok;
}

/**
 * The user can act on it: one line says what is wrong and what to do. Others are internal (exit 5).
 */
export class RecountError extends Error {
  override readonly name: string = "RecountError";
  readonly exitCode: ExitCode;
  readonly details: readonly string[] = [];

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export class UsageError extends RecountError {
  override readonly name: string = "UsageError";
  constructor(message: string, options?: ErrorOptions) {
    super(message, exitCodes.usage, options);
  }
}

/** The engine rejected or refused a query (exit 4), or could not write its result (exit 3). */
export class QueryError extends UsageError {
  override readonly name = "QueryError";
  readonly sql: string;
  override readonly exitCode: ExitCode;
  override readonly details: readonly string[];
  constructor(
    message: string,
    { sql, exitCode, details }: Pick<QueryError, "sql" | "exitCode" | "details">,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.sql = sql;
    this.exitCode = exitCode;
    this.details = details;
  }
}

export function namedProject(project: string | undefined): string {
  if (!project) throw new UsageError("No project: pass --project or set RECOUNT_PROJECT_ID.");
  return project;
}

/** The export failed or is incomplete (exit 3). The previous snapshot is untouched. */
export class ExportError extends RecountError {
  override readonly name: string = "ExportError";
  constructor(message: string, options?: ErrorOptions) {
    super(message, exitCodes.export, options);
  }
}

/** A failure after a new snapshot was published, with the exit code of its cause. */
export class AfterPublicationError extends Error {
  override readonly name = "AfterPublicationError";
  readonly snapshot: string;
  constructor(snapshot: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.snapshot = snapshot;
  }
}

export class InterruptedError extends RecountError {
  override readonly name = "InterruptedError";
  constructor(message = "Interrupted; nothing was published.", options?: ErrorOptions) {
    super(message, exitCodes.interrupted, options);
  }
}

/** Not of the temporary folder's limit; the engine's own advice follows. */
const outOfMemory = /Out of Memory Error: (?!failed to offload)[^]*\/([\d.]+ \w+) used\)[^]*/;

export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(
    outOfMemory,
    "the engine's memory of $1 is too small: raise RECOUNT_MEMORY_LIMIT, to 4GB for example",
  );
}

/** The system error code (`ENOSPC`, `ECONNREFUSED` …) of a thrown value or its causes. */
export function codeOf(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return undefined;
}

const engineCodes: readonly [RegExp, string][] = [
  [/Too many open files/, "EMFILE"],
  [/Permission denied/, "EACCES"],
  [/No space left on device/, "ENOSPC"],
  [/RECOUNT_MEMORY_LIMIT/, "ENOMEM"],
  [/^(The model .* failed: )?IO Error: /, "EIO"],
];

/** Also where the engine says it in words only. */
export function systemCodeOf(error: unknown): string | undefined {
  const message = messageOf(error);
  return codeOf(error) ?? engineCodes.find(([pattern]) => pattern.test(message))?.[1];
}
