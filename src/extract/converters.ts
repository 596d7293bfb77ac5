import pLimit from "p-limit";
import { InterruptedError } from "../platform/index.js";
import { openWarehouse, text, type Warehouse } from "../warehouse/index.js";

/** A few DuckDB sessions that take turns: one conversion a session, one thread each. */
export interface Converters {
  use<T>(task: (warehouse: Warehouse) => Promise<T>): Promise<T>;
  /** Rejects what waits and all that comes; resolves when nothing runs any more. */
  end(): Promise<void>;
}

async function open(memory: string, spill: string): Promise<Warehouse> {
  const warehouse = await openWarehouse({ sources: {}, threads: 1, memory });
  await warehouse.all(`set temp_directory = ${text(spill)}`);
  return warehouse;
}

/**
 * Two at a time is the fastest that stays small (docs/benchmarks.md). Memory is bounded for each session;
 * what does not fit goes to the folder `spill`.
 */
export function createConverters(spill: string, count = 2, memory = "300MB"): Converters {
  const limit = pLimit({ concurrency: count, rejectOnClear: true });
  const idle: Warehouse[] = [];
  const running = new Set<Promise<unknown>>();
  let hasEnded = false;
  return {
    use: (task) =>
      limit(async () => {
        if (hasEnded) throw new InterruptedError();
        const warehouse = idle.pop() ?? (await open(memory, spill));
        const made = task(warehouse);
        running.add(made);
        try {
          return await made;
        } finally {
          running.delete(made);
          idle.push(warehouse);
        }
      }),
    async end() {
      hasEnded = true;
      limit.clearQueue();
      await Promise.allSettled(running);
      await Promise.resolve();
      idle.splice(0).forEach((warehouse) => warehouse.close());
    },
  };
}
