import { type Clock, InterruptedError } from "../platform/index.js";

/** A pause that the service requested of one worker and that all workers observe. */
export interface Cooldown {
  pause(ms: number): void;
  wait(signal?: AbortSignal): Promise<void>;
}

export function createCooldown(clock: Clock): Cooldown {
  let until = -Infinity;
  return {
    pause(ms) {
      until = Math.max(until, clock.monotonicMs() + ms);
    },
    async wait(signal) {
      for (let left = until - clock.monotonicMs(); left > 0; left = until - clock.monotonicMs()) {
        await clock.sleep(left, signal).catch(() => {
          throw new InterruptedError();
        });
      }
    },
  };
}
