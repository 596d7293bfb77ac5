import pLimit from "p-limit";
import { InterruptedError } from "../platform/index.js";
import { addPseudonyms, openWarehouse, type Pseudonyms, type Warehouse } from "../warehouse/index.js";

/** A few DuckDB sessions with one thread each; each runs one conversion at a time. */
export interface SessionPool {
  use<T>(task: (warehouse: Warehouse) => Promise<T>): Promise<T>;
  /** Rejects queued and later conversions; resolves when none is running. */
  close(): Promise<void>;
}

interface PoolOptions {
  readonly count?: number;
  readonly memory?: string;
  /** What the sessions replace identifiers by, for conversions that ask for it. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** The lake whose parts conversions read too. */
  readonly lake?: string;
}

async function open(
  memory: string,
  spill: string,
  { pseudonyms, lake }: Pick<PoolOptions, "pseudonyms" | "lake">,
): Promise<Warehouse> {
  const warehouse = await openWarehouse({ sources: {}, lake, threads: 1, memory, spill });
  // The engine takes a file of the same name, size and time for the one that it has read before.
  await warehouse.all("set enable_external_file_cache = false");
  if (pseudonyms !== undefined) addPseudonyms(warehouse, pseudonyms);
  return warehouse;
}

/**
 * Two sessions are the fastest that stay small (docs/records/benchmarks.md). Memory is bounded for each session;
 * what does not fit goes to the folder `spill`.
 */
export function createSessionPool(
  spill: string,
  { count = 2, memory = "300MB", ...options }: PoolOptions = {},
): SessionPool {
  const limit = pLimit({ concurrency: count, rejectOnClear: true });
  const idle: Warehouse[] = [];
  const running = new Set<Promise<unknown>>();
  let hasEnded = false;
  return {
    use: (task) =>
      limit(async () => {
        if (hasEnded) throw new InterruptedError();
        const warehouse = idle.pop() ?? (await open(memory, spill, options));
        const made = task(warehouse);
        running.add(made);
        try {
          return await made;
        } finally {
          running.delete(made);
          idle.push(warehouse);
        }
      }),
    async close() {
      hasEnded = true;
      limit.clearQueue();
      await Promise.allSettled(running);
      await Promise.resolve();
      idle.splice(0).forEach((warehouse) => warehouse.close());
    },
  };
}
