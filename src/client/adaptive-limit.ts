import pLimit from "p-limit";
import { InterruptedError, systemClock, type Clock } from "../platform/index.js";

/** Runs tasks, and receives notice when the service is overloaded (429, 503). */
export interface RequestLimit {
  <T>(task: () => Promise<T>): Promise<T>;
  pushedBack(): void;
}

/** Runs a limited number of tasks at once. Push-back halves the limit, down to one; successes raise it again. */
export interface AdaptiveLimit extends RequestLimit {
  /** Rejects queued and later tasks; resolves when no task is running. */
  end(): Promise<void>;
  /** Current limit. */
  readonly concurrency: number;
}

/** Refusals of requests that were sent together count as one. */
const burstMs = 1000;

/**
 * Additive increase, multiplicative decrease (Chiu and Jain 1989): half after a push-back, one more after as many
 * consecutive successes as the current limit, never above `most`.
 */
export function createAdaptiveLimit(most: number, clock: Clock = systemClock): AdaptiveLimit {
  const limit = pLimit({ concurrency: most, rejectOnClear: true });
  let fellAt = -Infinity;
  let successes = 0;
  let hasEnded = false;
  const running = new Set<Promise<unknown>>();

  function succeeded(): void {
    successes += 1;
    if (successes < limit.concurrency || limit.concurrency >= most) return;
    limit.concurrency += 1;
    successes = 0;
  }

  const run = <T>(task: () => Promise<T>): Promise<T> =>
    limit(async () => {
      if (hasEnded) throw new InterruptedError();
      const made = task();
      running.add(made);
      try {
        const value = await made;
        succeeded();
        return value;
      } finally {
        running.delete(made);
      }
    });

  return Object.defineProperties(run, {
    concurrency: { get: () => limit.concurrency },
    end: {
      value: async () => {
        hasEnded = true;
        limit.clearQueue();
        await Promise.allSettled(running);
      },
    },
    pushedBack: {
      value: () => {
        successes = 0;
        if (clock.monotonicMs() - fellAt < burstMs) return;
        fellAt = clock.monotonicMs();
        limit.concurrency = Math.max(1, Math.floor(limit.concurrency / 2));
      },
    },
  }) as AdaptiveLimit;
}
