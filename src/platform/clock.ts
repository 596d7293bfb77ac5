import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** The only access to time. Tests pass their own. */
export interface Clock {
  /** Wall-clock instant. */
  now(): Date;
  /** Monotonic milliseconds, independent of the wall clock. */
  monotonicMs(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(Date.now()),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};
