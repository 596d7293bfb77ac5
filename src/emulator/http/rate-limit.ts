import type { Clock } from "../../platform/index.js";
import { HttpFailure } from "./http-error.js";

/** Counts requests of each caller in windows of fixed length. */
export class RateLimit {
  private readonly windows = new Map<string, { endsAt: number; count: number }>();

  constructor(
    private readonly limit: { requests: number; seconds: number } | null,
    private readonly clock: Clock,
  ) {}

  /** @throws HttpFailure 429 with the whole seconds to wait in Retry-After. */
  count(caller: string): void {
    if (this.limit === null) return;
    const now = this.clock.monotonicMs();
    const own = this.windows.get(caller);
    const window = own === undefined || own.endsAt <= now ? { endsAt: now + 1000 * this.limit.seconds, count: 0 } : own;
    window.count += 1;
    this.windows.set(caller, window);
    if (window.count <= this.limit.requests) return;
    const wait = String(Math.max(1, Math.ceil((window.endsAt - now) / 1000)));
    throw new HttpFailure(429, "throttled", `Too many requests; try again in ${wait} s.`, [], { "retry-after": wait });
  }
}
