import pLimit from "p-limit";
import { openWarehouse, type Warehouse } from "../warehouse/index.js";

/** A few DuckDB sessions that take turns: one conversion a session, one thread each. */
export interface Converters {
  use<T>(task: (warehouse: Warehouse) => Promise<T>): Promise<T>;
  /** Rejects what waits. */
  clear(): void;
  close(): void;
}

/** Two at a time is the fastest that stays small (docs/benchmarks.md). Memory is bounded for each session. */
export function createConverters(count = 2, memory = "400MB"): Converters {
  const limit = pLimit({ concurrency: count, rejectOnClear: true });
  const idle: Warehouse[] = [];
  return {
    use: (task) =>
      limit(async () => {
        const warehouse = idle.pop() ?? (await openWarehouse({ sources: {}, threads: 1, memory }));
        try {
          return await task(warehouse);
        } finally {
          idle.push(warehouse);
        }
      }),
    clear: () => limit.clearQueue(),
    close: () => idle.splice(0).forEach((warehouse) => warehouse.close()),
  };
}
