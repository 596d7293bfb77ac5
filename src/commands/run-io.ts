import type { Display } from "../pipeline/index.js";
import type { ExitCode, LogFields } from "../platform/index.js";
import { conclude, consoleLog, print, printError, type LogOptions } from "./console.js";
import { interruptSignal } from "./interrupt.js";

/** Where everything goes that a run says, and what interrupts it. */
export interface RunIo {
  /** A result: text of one or more lines. */
  readonly print: (text: string) => void;
  /** A line about an error. */
  readonly printError: (line: string, fields?: LogFields) => void;
  /** The result of everything in one line, see the function of this name. */
  readonly conclude: (exitCode: ExitCode, line: string, fields?: LogFields) => void;
  /** Begins to show the run of one project. */
  readonly show: () => Display;
  readonly signal: AbortSignal;
}

/** The console: a progress bar on a terminal, and Ctrl-C. */
export async function consoleIo(options: LogOptions): Promise<RunIo & { dispose(): void }> {
  const { showProgress } = await import("./progress.js");
  let log = consoleLog(options);
  const { signal, dispose } = interruptSignal({ warn: (message) => log.warn(message) });
  const show = () => {
    const display = showProgress(options);
    log = display.log;
    return display;
  };
  return { print, printError, conclude, show, signal, dispose };
}
