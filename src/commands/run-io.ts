import type { Display } from "../pipeline/index.js";
import { consoleLog, print, printError, type LogOptions } from "./console.js";
import { interruptSignal } from "./interrupt.js";

/** Where everything goes that a run says, and what interrupts it. */
export interface RunIo {
  /** A result: text of one or more lines. */
  readonly print: (text: string) => void;
  /** A line about an error. */
  readonly printError: (line: string) => void;
  /** Begins to show the run of one project. */
  readonly show: () => Display;
  readonly signal: AbortSignal;
}

/** The console: a progress bar on a terminal, and Ctrl-C. */
export async function consoleIo(options: LogOptions): Promise<RunIo & { dispose(): void }> {
  const { exportProgress } = await import("./progress.js");
  let log = consoleLog(options);
  const { signal, dispose } = interruptSignal({ warn: (message) => log.warn(message) });
  const show = () => {
    const display = exportProgress(options);
    log = display.log;
    return display;
  };
  return { print, printError, show, signal, dispose };
}
