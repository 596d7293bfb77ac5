import { codeOf, exitCodes, messageOf, UsageError, type ExitCode } from "../../../platform/index.js";
import { RefusedStatement } from "./confine.js";

/** The engine could not open or write a file: a matter of the disk, its permissions or the open files. */
const isDisk = (cause: unknown) =>
  /^E[A-Z]+$/.test(codeOf(cause) ?? "") ||
  /IO Error: (Could not (write|fsync|truncate)|Cannot open file)|No space left on device/i.test(messageOf(cause));

/** The engine's message in one line, without the query that it quotes at the end. */
const oneLine = (message: string) =>
  message
    .replace(/\n+LINE \d+: [^]*$/, "")
    .replace(/\s*\n\s*/g, " ")
    .trim();

/** The engine's message about a table that does not exist, with the nearest one that a person would mean. */
function missingTable(message: string): string | null {
  const [, table, nearest = ""] =
    /Table with name "?([^"\s]+)"? does not exist!(?:\s*Did you mean "([^"]+)")?/.exec(message) ?? [];
  if (table === undefined) return null;
  const hint = nearest === "" || /^(pg|sqlite|duckdb)_|\./.test(nearest) ? "" : ` Did you mean ${nearest}?`;
  return `There is no table ${table}.${hint} \`show tables\` lists them.`;
}

/** What a confined engine refused; null for any other error. */
function refusalOf(cause: unknown): string | null {
  const message = messageOf(cause);
  if (cause instanceof RefusedStatement) return message;
  const [, what] =
    /^(?:[\w ]+ Error: )?(.*?)(?: - file system operations are disabled| - the configuration has been locked| is disabled through configuration)/.exec(
      message,
    ) ?? [];
  return what ?? null;
}

/** A query that the engine rejected, or whose result it could not write. The message quotes the engine. */
export class QueryError extends UsageError {
  readonly sql: string;
  override readonly exitCode: ExitCode;
  constructor(sql: string, cause: unknown) {
    const refused = refusalOf(cause);
    super(
      refused === null
        ? `The query failed: ${missingTable(messageOf(cause)) ?? oneLine(messageOf(cause))}`
        : `The query was refused: ${refused}. Queries only read the lake. Write their rows with --output, or pass --unsafe.`,
      { cause },
    );
    this.exitCode = isDisk(cause) ? exitCodes.export : exitCodes.usage;
    this.sql = sql;
  }
}
