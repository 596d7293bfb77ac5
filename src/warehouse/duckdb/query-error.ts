import { exitCodes, messageOf, UsageError, type ExitCode } from "../../platform/index.js";

/** The engine could not write a file completely: the disk is full or failing. */
const isDisk = (cause: unknown) =>
  /IO Error: Could not (write|fsync|truncate)|No space left on device/i.test(messageOf(cause));

/** A query that the engine rejected, or whose result it could not write. The message quotes the engine. */
export class QueryError extends UsageError {
  readonly sql: string;
  override readonly exitCode: ExitCode;
  constructor(sql: string, cause: unknown) {
    super(`The query failed: ${messageOf(cause)}`, { cause });
    this.exitCode = isDisk(cause) ? exitCodes.export : exitCodes.usage;
    this.sql = sql;
  }
}
