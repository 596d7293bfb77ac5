import { exitCodes, RecountError, type ExitCode } from "../platform/index.js";
import { printError } from "./console.js";

/** yargs throws its own error class for a malformed command line. */
const isUsage = (error: unknown) => error instanceof Error && error.name === "YError";

const framesOf = (error: unknown) =>
  error instanceof Error ? (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line)) : [];

/** Prints the error in one line, or an internal error with its stack, and returns the exit code. */
export function reportFailure(error: unknown): ExitCode {
  if (error instanceof RecountError) {
    printError(`recount: ${error.message}`);
    return error.exitCode;
  }
  if (isUsage(error)) {
    printError(`recount: ${(error as Error).message}`);
    return exitCodes.usage;
  }
  printError("recount: internal error. Please report it with the lines below.");
  printError(String(error));
  for (const line of framesOf(error)) printError(line);
  return exitCodes.internal;
}
