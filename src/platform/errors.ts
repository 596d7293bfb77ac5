/** The documented exit codes of every command (docs/reference/exit-codes.md). */
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

/**
 * The exit code of several runs: that of the one which most needs attention
 * (docs/reference/exit-codes.md).
 */
export function worstExitCode(codes: readonly ExitCode[]): ExitCode {
  return fromWorst.find((code) => codes.includes(code)) ?? exitCodes.ok;
}

/**
 * A failure that the user can act on: one line that says what is wrong and what to do.
 * Any other error is an internal error (exit 5).
 */
export class RecountError extends Error {
  override readonly name: string = "RecountError";
  readonly exitCode: ExitCode;
  /** Further lines for a person, such as the place in a query. */
  readonly details: readonly string[] = [];

  constructor(message: string, exitCode: ExitCode, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Wrong input, configuration or file (exit 4). */
export class UsageError extends RecountError {
  override readonly name: string = "UsageError";
  constructor(message: string, options?: ErrorOptions) {
    super(message, exitCodes.usage, options);
  }
}

/**
 * A query that the engine rejected or refused (exit 4), or whose result it could not write (exit
 * 3). The message quotes the engine.
 */
export class QueryError extends UsageError {
  override readonly name = "QueryError";
  readonly sql: string;
  override readonly exitCode: ExitCode;
  /** The line of the query with a caret below the place, if the engine says where. */
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

/** The project that is named. @throws UsageError if none is. */
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

/**
 * What failed after a new snapshot had been published: its line says so, its exit code is that of
 * the cause.
 */
export class AfterPublicationError extends Error {
  override readonly name = "AfterPublicationError";
  readonly snapshot: string;
  constructor(snapshot: string, cause: unknown) {
    super(messageOf(cause), { cause });
    this.snapshot = snapshot;
  }
}

/** SIGINT or SIGTERM ended the run (exit 130). */
export class InterruptedError extends RecountError {
  override readonly name = "InterruptedError";
  constructor(message = "Interrupted; nothing was published.", options?: ErrorOptions) {
    super(message, exitCodes.interrupted, options);
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system error code (`ENOSPC`, `ECONNREFUSED` …) of any thrown value or its causes. */
export function codeOf(error: unknown): string | undefined {
  for (let e = error; e instanceof Error; e = e.cause) {
    if ("code" in e && typeof e.code === "string") return e.code;
  }
  return undefined;
}

/** The codes behind the engine's messages. */
const engineCodes: readonly [RegExp, string][] = [
  [/Too many open files/, "EMFILE"],
  [/Permission denied/, "EACCES"],
  [/No space left on device/, "ENOSPC"],
  [/^(The model .* failed: )?IO Error: /, "EIO"],
];

/** The system error code of any thrown value, also where the engine says it in words only. */
export function systemCodeOf(error: unknown): string | undefined {
  const message = messageOf(error);
  return codeOf(error) ?? engineCodes.find(([pattern]) => pattern.test(message))?.[1];
}
