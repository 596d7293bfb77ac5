import { createClient, type Client, type ClientOptions } from "../client/index.js";
import {
  createLog,
  exitCodes,
  messageOf,
  silentLog,
  withFields,
  worstExitCode,
  type ExitCode,
  type Log,
} from "../platform/index.js";
import type { Display } from "./export-and-audit.js";
import { secretsOf } from "./notices/index.js";
import type { Plan } from "./projects.js";
import { runProject, startOf, type RunEffects, type RunEnd } from "./run-project.js";
import { openRecords } from "./run-records.js";
import type { Settings } from "./settings.js";

export type Connection = Pick<ClientOptions, "baseUrl" | "credentials" | "network">;

/** What the runs of a pipeline need from those that start them. Runs print nothing themselves. */
export interface RunContext extends RunEffects {
  /** Hides a secret in everything that `redact` sees. */
  readonly hide: (secret: string) => void;
  /** How a project's service is reached. @throws UsageError. */
  readonly connect: (settings: Settings) => Promise<Connection>;
  /** Shows the run of one project, the `nth` of `count`. */
  readonly show: (settings: Settings, nth: number, count: number) => Display;
  /** Receives each end as it comes. */
  readonly onEnd?: (end: RunEnd) => Promise<void>;
}

/** One client for all projects that are reached in the same way: they share its connections and pauses. */
function sharedClients(log: Log, signal: AbortSignal | undefined) {
  const clients = new Map<string, Client>();
  return {
    open(connection: Connection): Client {
      const key = JSON.stringify(connection);
      const client = clients.get(key) ?? createClient({ ...connection, ...(signal ? { signal } : {}) }, { log });
      clients.set(key, client);
      return client;
    },
    close: () => Promise.all([...clients.values()].map((client) => client.close())),
  };
}

/**
 * Runs the projects of a pipeline one after another, so that `export.concurrency` bounds the requests of all. The failure
 * of one stops no other. Returns the worst exit code, and how each run ended.
 */
export async function runPipeline(
  plan: Plan,
  { hide, connect, show, onEnd, signal, ...effects }: RunContext,
): Promise<{ exitCode: ExitCode; ends: readonly RunEnd[] }> {
  for (const { notices, spark } of plan.all)
    for (const secret of [...secretsOf(notices), ...(spark?.token ? [spark.token] : [])]) hide(secret);
  let log = silentLog;
  const current = createLog(({ level, message, fields }) => log[level](message, fields), "debug");
  const clients = sharedClients(current, signal);
  const records = await openRecords(plan, effects.clock, effects.redact);
  const ends: RunEnd[] = [];
  try {
    for (const settings of plan.projects) {
      if (signal?.aborted && ends.length > 0) break;
      const start = startOf(effects.clock);
      const shown = show(settings, ends.length + 1, plan.projects.length);
      log = withFields(shown.log, { run: start.run, project: settings.project ?? null });
      const open = async () => clients.open(await connect(settings));
      const end = await runProject(settings, start, open, { ...shown, log }, records, { ...effects, signal });
      ends.push(end);
      await onEnd?.(end);
    }
  } finally {
    await clients.close();
  }
  const left = plan.projects.length - ends.length;
  const exitCode = left > 0 ? exitCodes.interrupted : worstExitCode(ends.map((end) => end.exitCode));
  await records.finish(exitCode).catch((error: unknown) => {
    log.warn(`The end of the runs could not be recorded: ${messageOf(error)}.`);
  });
  return { exitCode, ends };
}
