import { exitCodes, type Log } from "../platform/index.js";

export interface Interrupt {
  readonly signal: AbortSignal;
  dispose(): void;
}

/** The first SIGINT or SIGTERM aborts the run in good order; the second ends the process at once. Both exit with 130. */
export function interruptSignal(log: Log): Interrupt {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    log.warn("Stopping; press Ctrl-C again to stop at once.");
    controller.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  return {
    signal: controller.signal,
    dispose() {
      process.off("SIGINT", onSignal);
      process.off("SIGTERM", onSignal);
    },
  };
}
