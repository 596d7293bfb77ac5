/** The only access to time. Tests pass their own clock. */
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

export interface Clock {
  now(): Date;
  /** Monotonic milliseconds. */
  monotonicMs(): number;
  /** Rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => new Date(Date.now()),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
};
