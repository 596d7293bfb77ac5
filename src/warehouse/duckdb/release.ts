import type { DuckDBConnection } from "@duckdb/node-api";
import { text } from "../source-views.js";

/** Growth of the process, in bytes, from which memory is given back: fresh memory costs time too. */
const leastGrowth = 64 * 2 ** 20;

/**
 * Gives the system back what the engine has freed, which its allocator keeps otherwise. The engine does so whenever its
 * memory limit is set, even to what it is.
 * @param limit the engine's memory limit; default: what it says
 */
export function createRelease(connection: DuckDBConnection, limit?: string): () => Promise<void> {
  const rss = (): number => process.memoryUsage.rss();
  let known = limit;
  let least = Infinity;
  return async () => {
    const now = rss();
    least = Math.min(least, now);
    if (now < least + leastGrowth) return;
    known ??= await shownLimit(connection);
    await connection.run(`set memory_limit = ${text(known)}`);
    least = rss();
  };
}

async function shownLimit(connection: DuckDBConnection): Promise<string> {
  const shown = await connection.runAndReadAll("select current_setting('memory_limit')");
  return String(shown.value(0, 0));
}
