import { isJson, warn } from "./console.js";
import { reportFailure } from "./failure.js";

/**
 * Ends the process with one line, or the stack of an internal error, for an error that no command caught. Makes Node's
 * warnings lines of a JSON log.
 */
export function watchProcess(): void {
  const end = (error: unknown) => process.exit(reportFailure(error));
  process.on("uncaughtException", end).on("unhandledRejection", end);
  const printers = process.listeners("warning");
  process.removeAllListeners("warning").on("warning", (warning) => {
    if (isJson()) warn(`${warning.name}: ${warning.message}`);
    else for (const print of printers) print(warning);
  });
}
