import { join } from "node:path";
import { codeOf, fsp, type Log } from "../platform/index.js";

/** Removes what a run that was killed left in `staging`, but for what is `kept`. The caller holds the project's lock, so nobody writes there. */
export async function clearLeftovers(staging: string, log: Log, kept: ReadonlySet<string> = new Set()): Promise<void> {
  const names = await fsp.readdir(staging).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
  for (const name of names.filter((one) => !kept.has(one))) {
    log.debug(`Removing ${name}, left behind by a run that was ended.`);
    await fsp.rm(join(staging, name), { recursive: true, force: true, maxRetries: 3 });
  }
}
