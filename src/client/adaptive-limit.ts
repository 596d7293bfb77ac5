import pLimit from "p-limit";
import { systemClock, type Clock } from "../clock.js";

/** Runs a bounded number of tasks at a time; the bound follows what the service can take. */
export interface AdaptiveLimit {
  <T>(task: () => Promise<T>): Promise<T>;
  /** The service said that it has too much to do: half as many from now on, at least one. */
  pushedBack(): void;
  /** Rejects what waits. */
  clearQueue(): void;
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

  function succeeded(): void {
    successes += 1;
    if (successes < limit.concurrency || limit.concurrency >= most) return;
    limit.concurrency += 1;
    successes = 0;
  }

  const run = <T>(task: () => Promise<T>): Promise<T> =>
    limit(async () => {
      const value = await task();
      succeeded();
      return value;
    });

  return Object.defineProperties(run, {
    concurrency: { get: () => limit.concurrency },
    clearQueue: { value: () => limit.clearQueue() },
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
