import type { Clock } from "../../platform/index.js";
import { HttpError } from "./http-error.js";

/** Counts the requests of each caller in windows of fixed length. */
export interface RateLimit {
  /** @throws HttpError 429 with the whole seconds to wait in Retry-After. */
  count(caller: string): void;
}

export function createRateLimit(limit: { requests: number; seconds: number } | null, clock: Clock): RateLimit {
  const windows = new Map<string, { endsAt: number; count: number }>();
  return {
    count(caller) {
      if (limit === null) return;
      const now = clock.monotonicMs();
      const last = windows.get(caller);
      const window = last === undefined || last.endsAt <= now ? { endsAt: now + 1000 * limit.seconds, count: 0 } : last;
      window.count += 1;
      windows.set(caller, window);
      if (window.count <= limit.requests) return;
      const wait = String(Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
      throw new HttpError(429, "throttled", `Too many requests; try again in ${wait} s.`, [], { "retry-after": wait });
    },
  };
}
