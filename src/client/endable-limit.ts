/** A limit of concurrent tasks that can be ended. */
import pLimit, { type LimitFunction } from "p-limit";
import { InterruptedError } from "../platform/index.js";

interface EndableLimit {
  readonly limit: LimitFunction;
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  readonly end: () => Promise<void>;
}

export function endableLimit(concurrency: number): EndableLimit {
  const limit = pLimit({ concurrency, rejectOnClear: true });
  const running = new Set<Promise<unknown>>();
  let hasEnded = false;
  return {
    limit,
    run: (task) =>
      limit(async () => {
        if (hasEnded) throw new InterruptedError();
        const made = task();
        running.add(made);
        try {
          return await made;
        } finally {
          running.delete(made);
        }
      }),
    async end() {
      hasEnded = true;
      limit.clearQueue();
      await Promise.allSettled(running);
    },
  };
}
