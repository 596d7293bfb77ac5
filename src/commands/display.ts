/** What a command in progress shows, and what interrupts it. */
import type { InferredOptionTypes } from "yargs";
import type { Client, ClientOptions } from "../client/index.js";
import type { ExportReport } from "../extract/index.js";
import type { Display } from "../pipeline/index.js";
import { hide } from "../client/index.js";
import {
  type ExitCode,
  exitCodes,
  type Log,
  type LogFields,
  withFields,
} from "../platform/index.js";
import type { Cluster } from "../warehouse/index.js";
import { conclude, consoleLog, type LogOptions, print, printError } from "./console.js";
import type { methodOption } from "./flags.js";

interface Interrupt {
  readonly signal: AbortSignal;
  readonly dispose: () => void;
}

/** The first signal aborts the run cleanly, the second ends the process. Both exit with 130. */
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

/** Where everything goes that a run says, and what interrupts it. */
export interface RunIo {
  readonly print: (text: string) => void;
  readonly printError: (line: string, fields?: LogFields) => void;
  readonly conclude: (exitCode: ExitCode, line: string, fields?: LogFields) => void;
  readonly show: () => Display;
  readonly signal: AbortSignal;
  readonly isVerbose: boolean;
}

/** With a progress bar on a terminal, and Ctrl-C. */
export async function consoleIo(options: LogOptions): Promise<RunIo & { dispose(): void }> {
  const { showProgress } = await import("./progress.js");
  let log = consoleLog(options);
  const { signal, dispose } = interruptSignal({ warn: (message) => log.warn(message) });
  const show = () => {
    const display = showProgress(options);
    log = display.log;
    return display;
  };
  return { print, printError, conclude, show, signal, isVerbose: options.verbose, dispose };
}

export async function exporting<T>(
  options: LogOptions,
  project: string,
  connection: Pick<ClientOptions, "baseUrl" | "credentials" | "network" | "retry">,
  use: (tools: Display & { client: Client }) => Promise<T>,
): Promise<T> {
  const { showProgress } = await import("./progress.js");
  const { createClient } = await import("../client/index.js");
  const progress = showProgress(options);
  const log = withFields(progress.log, { project });
  const interrupt = interruptSignal(log);
  try {
    const client = createClient({ ...connection, signal: interrupt.signal }, { log });
    return await use({ ...progress, log, client }).finally(() => client.close());
  } finally {
    progress.stop();
    interrupt.dispose();
  }
}

/** Says what the snapshot lacks, too. */
export async function concludeExport(
  report: ExportReport,
  log: Log,
  project: string,
): Promise<void> {
  const { exportLine, notWholeLine } = await import("../report/index.js");
  const { snapshot, shortfalls } = report;
  const line = exportLine(report);
  const lack = shortfalls.length === 0 ? null : notWholeLine(shortfalls);
  print(line);
  if (lack !== null) log.warn(lack);
  conclude(lack === null ? exitCodes.ok : exitCodes.inconclusive, lack ?? line, {
    project,
    snapshot,
  });
}

export const engineOption = {
  engine: {
    choices: ["duckdb", "spark"] as const,
    describe:
      "Where the models run; spark needs a pipeline file with engine.spark.connect, or its " +
      "address in SPARK_REMOTE [default: as the pipeline file says, otherwise duckdb]",
  },
} as const;

export type EngineArguments = InferredOptionTypes<typeof engineOption & typeof methodOption>;

/** `work` closes its warehouse. SIGINT and SIGTERM stop what runs on the cluster. */
export async function onEngine<T>(
  { engine, pipeline }: EngineArguments,
  project: string,
  work: (cluster: Cluster | null) => Promise<T>,
): Promise<T> {
  const { readEngine } = await import("../pipeline/index.js");
  const address = await readEngine(engine, pipeline, project, process.env);
  if (address === null) return work(null);
  const { withCluster } = await import("../warehouse/index.js");
  if (address.token !== null) hide(address.token);
  const { showProgress } = await import("./progress.js");
  const { log, onTasks, stop } = showProgress();
  const { signal, dispose } = interruptSignal(log);
  try {
    return await withCluster(address, { signal, onTasks }, async (cluster) => {
      const result = await work(cluster);
      signal.throwIfAborted();
      return result;
    });
  } finally {
    stop();
    dispose();
  }
}
