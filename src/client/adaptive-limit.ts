import pLimit from "p-limit";
import { InterruptedError, systemClock, type Clock } from "../platform/index.js";

/** Runs tasks, and is told when the service is overloaded (429, 503). */
export interface RequestLimit {
  <T>(task: () => Promise<T>): Promise<T>;
  pushedBack(): void;
}

/** Runs a bounded number of tasks at a time. Push-back halves the bound, down to one; successes raise it again. */
export interface AdaptiveLimit extends RequestLimit {
  /** Rejects what is queued and what follows; resolves when nothing runs any more. */
  end(): Promise<void>;
  /** Tasks at a time, now. */
  readonly concurrency: number;
}

/** Refusals of requests that left together are one refusal. */
const burstMs = 1000;

/**
 * Additive increase, multiplicative decrease (Chiu and Jain 1989): half at a push-back, one more after as many
 * successes in a row as there are places, never above `most`.
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
