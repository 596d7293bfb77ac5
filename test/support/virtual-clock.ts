import type { Clock } from "../../src/platform/clock.js";

export interface VirtualClock extends Clock {
  /** Every pause asked for, in milliseconds. */
  readonly sleeps: number[];
}

/** A clock whose time passes only in sleep: it moves to the earliest sleeper's end as soon as the process is idle. */
export function virtualClock(start = Date.UTC(2026, 0, 1)): VirtualClock {
  let elapsed = 0;
  let sleepers: { at: number; wake: () => void }[] = [];
  const sleeps: number[] = [];
  const pass = () => {
    const at = Math.min(...sleepers.map((sleeper) => sleeper.at));
    elapsed = Math.max(elapsed, at);
    const due = sleepers.filter((sleeper) => sleeper.at <= elapsed);
    sleepers = sleepers.filter((sleeper) => sleeper.at > elapsed);
    for (const { wake } of due) wake();
  };
  return {
    sleeps,
    now: () => new Date(start + elapsed),
    monotonicMs: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleeps.push(ms);
        const onAbort = () => reject(signal?.reason as Error);
        signal?.addEventListener("abort", onAbort, { once: true });
        const wake = () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        };
        sleepers.push({ at: elapsed + ms, wake });
        setTimeout(() => {
          if (sleepers.length > 0) pass();
        }, 5);
      }),
  };
}
