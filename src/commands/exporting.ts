import { withFields } from "../platform/index.js";
import type { Client, ClientOptions } from "../client/index.js";
import type { Display } from "../pipeline/index.js";
import type { LogOptions } from "./console.js";
import { interruptSignal } from "./interrupt.js";

/** Gives `use` a client that Ctrl-C stops, a log and a progress bar, and ends them whatever happens. */
export async function exporting<T>(
  options: LogOptions,
  project: string,
  connection: Pick<ClientOptions, "baseUrl" | "credentials" | "network">,
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
