/** An error as one line and an exit code. */
import {
  AfterPublicationError,
  type ExitCode,
  exitCodes,
  joinParts,
  type LogFields,
  messageOf,
  RecountError,
  systemCodeOf,
} from "../platform/index.js";
import { isJson, isQuiet, printError, warn } from "./console.js";

/** As in docs/reference/exit-codes.md. */
export const exitMeanings: Readonly<Record<ExitCode, string>> = {
  0: "everything reproduced",
  1: "unexplained",
  2: "needs review",
  3: "export failed",
  4: "usage",
  5: "internal error",
  130: "interrupted",
};

/** yargs throws its own error class for a malformed command line. */
const isUsage = (error: unknown) => error instanceof Error && error.name === "YError";

const framesOf = (error: unknown) =>
  error instanceof Error
    ? (error.stack ?? "").split("\n").filter((line) => /^ +at /.test(line))
    : [];

/** What to do, by the code of a system error. */
const remedies: Readonly<Record<string, string>> = {
  EACCES: "Check the permissions of the file and its folder.",
  EPERM: "Check the permissions of the file and its folder.",
  EROFS: "The file system is read only.",
  ENOSPC: "Free some space.",
  EDQUOT: "Free some space.",
  ENAMETOOLONG: "Choose a shorter name.",
  EMFILE: "Raise the limit of open files: `ulimit -n 1024`.",
  ENFILE: "Raise the limit of open files: `ulimit -n 1024`.",
  ENOMEM: "",
  // Node takes a package for missing when it cannot open another file.
  ERR_MODULE_NOT_FOUND:
    "Raise the limit of open files (`ulimit -n 1024`), or install Recount again.",
};

/** A path may be as long as somebody has made it. */
const mostCharacters = 500;

/** Null for an error that is not the system's: files, permissions, space, open files. */
function systemFailure(error: unknown): string | null {
  // Newer versions of Node say so in the message alone where they read a package.
  const code = /too many open files/i.test(messageOf(error)) ? "EMFILE" : systemCodeOf(error);
  if (code === undefined || !/^(E[A-Z]+|ERR_MODULE_NOT_FOUND)$/.test(code)) return null;
  const line = (messageOf(error).split("\n")[0] ?? "").replace(/\.$/, "");
  const shown = line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
  return joinParts([`${shown}.`, remedies[code] ?? "Check the path."], " ");
}

export function failureOf(error: unknown): { line: string; exitCode: ExitCode } {
  if (error instanceof AfterPublicationError) {
    const { line, exitCode } = failureOf(error.cause);
    return {
      line:
        `${line.replace(/\.?$/, ".")} The new snapshot, ${error.snapshot}, is complete and ` +
        "current.",
      exitCode,
    };
  }
  const isInternal = !(error instanceof RecountError) || error.exitCode === exitCodes.internal;
  const failure = isInternal ? systemFailure(error) : null;
  if (failure !== null) return { line: failure, exitCode: exitCodes.export };
  if (error instanceof RecountError) return { line: error.message, exitCode: error.exitCode };
  if (isUsage(error)) return { line: (error as Error).message, exitCode: exitCodes.usage };
  return { line: `internal error: ${String(error)}`, exitCode: exitCodes.internal };
}

/** One line, or an internal error with its stack. */
export function reportFailure(error: unknown, say = printError, fields: LogFields = {}): ExitCode {
  const { line, exitCode } = failureOf(error);
  const own = error instanceof AfterPublicationError ? error.cause : error;
  const all = { ...fields, exit_code: exitCode };
  if (exitCode !== exitCodes.internal || own instanceof RecountError) {
    say(`recount: ${line}`, all);
    if (own instanceof RecountError && !isJson() && !isQuiet())
      for (const more of own.details) say(more);
    return exitCode;
  }
  if (isJson()) {
    say(`${line.replace(/\.$/, "")}. Please report it.`, {
      ...all,
      stack: framesOf(own).map((frame) => frame.trim()),
    });
    return exitCode;
  }
  say("recount: internal error. Please report it with the lines below.");
  say(line.replace("internal error: ", ""));
  for (const frame of framesOf(own)) say(frame);
  return exitCode;
}

/** For what no command caught: errors and signals. Node's warnings become lines of the log. */
export function watchProcess(): void {
  const end = (error: unknown) => process.exit(reportFailure(error));
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const onSignal = () => {
      // A command that stops by itself has a listener of its own.
      if (process.listenerCount(signal) > 1) return;
      printError("recount: Interrupted before it finished. Run the command again.", {
        exit_code: exitCodes.interrupted,
      });
      // The signal ends the process as it would have without this.
      process.off(signal, onSignal);
      process.kill(process.pid, signal);
    };
    process.on(signal, onSignal);
  }
  process.on("uncaughtException", end).on("unhandledRejection", end);
  process.removeAllListeners("warning").on("warning", ({ name, message }) => {
    warn(`${name}: ${message}`);
  });
}
