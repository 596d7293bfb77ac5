import { exitCodes, type Log } from "../platform/index.js";

interface Interrupt {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
}

/** The first SIGINT or SIGTERM aborts the run cleanly, the second ends the process immediately. Both exit with 130. */
export function interruptSignal(log: Pick<Log, "warn">): Interrupt {
  const controller = new AbortController();
  const onSignal = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    log.warn("Stopping. Press Ctrl-C again to stop immediately.");
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
