import type { Clock } from "../../src/platform/index.js";

export interface VirtualClock extends Clock {
  readonly sleeps: number[];
  /** Keeps time from passing until `count` callers sleep at once. */
  holdUntilSleeping(count: number): void;
}

/**
 * A clock whose time passes only while callers sleep: shortly after the last caller went to sleep, it jumps to the end of
 * the shortest pause. It does not wait for work in progress; a test that depends on who sleeps first says so with
 * `holdUntilSleeping`.
 * @param soon calls back before a jump; `setImmediate` where only promises run between pauses
 */
export function virtualClock(
  start = Date.UTC(2026, 0, 1),
  soon: (pass: () => void) => unknown = (pass) => setTimeout(pass, 5),
): VirtualClock {
  let elapsed = 0;
  let needed = 1;
  let sleepers: { at: number; wake: () => void }[] = [];
  let asked = 0;
  const sleeps: number[] = [];
  const pass = () => {
    if (sleepers.length < needed) return;
    needed = 1;
    elapsed = Math.max(elapsed, Math.min(...sleepers.map((sleeper) => sleeper.at)));
    const due = sleepers.filter((sleeper) => sleeper.at <= elapsed);
    sleepers = sleepers.filter((sleeper) => sleeper.at > elapsed);
    for (const { wake } of due) wake();
    if (sleepers.length > 0) passSoon();
  };
  const passSoon = () => {
    const nth = ++asked;
    soon(() => nth === asked && pass());
  };
  return {
    sleeps,
    holdUntilSleeping: (count) => {
      needed = count;
    },
    now: () => new Date(start + elapsed),
    monotonicMs: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleeps.push(ms);
        const sleeper = {
          at: elapsed + ms,
          wake: () => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
        };
        const onAbort = () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(signal?.reason as Error);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
        sleepers.push(sleeper);
        passSoon();
      }),
  };
}
