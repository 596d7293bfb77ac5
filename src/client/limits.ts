/** Bounds of one attempt, and the number of requests at once. */
import { systemClock, type Clock } from "../platform/index.js";
import { endableLimit } from "./endable-limit.js";

export interface TransferLimits {
  /** Milliseconds to connect; default 10 s. */
  readonly connectMs: number;
  /** Milliseconds from the request, or the last interim answer, to the head; default 60 s. */
  readonly headMs: number;
  /** Number of interim (1xx) answers before the answer; default 16. */
  readonly interim: number;
  /** Milliseconds between two pieces of a body; default 60 s. */
  readonly stallMs: number;
  /** Minimum bytes per second of a body as sent, over any 60 s of waiting for it; default 1 KiB. */
  readonly bytesPerSecond: number;
  /** Milliseconds of waiting for one body in all; default 6 h. */
  readonly bodyMs: number;
  /** Largest body in bytes, as sent and decoded; default 16 GiB. */
  readonly bodyBytes: number;
}

/** Source: docs/explanation/design.md, "Reading from the service". */
export const transferLimits: TransferLimits = {
  connectMs: 10_000,
  headMs: 60_000,
  interim: 16,
  stallMs: 60_000,
  bytesPerSecond: 1024,
  bodyMs: 6 * 3_600_000,
  bodyBytes: 16 * 1024 ** 3,
};

export interface RequestLimit {
  <T>(task: () => Promise<T>): Promise<T>;
  pushedBack(): void;
}

/** Push-back halves the limit, down to one; successes raise it again. */
export interface AdaptiveLimit extends RequestLimit {
  end(): Promise<void>;
  readonly concurrency: number;
}

/** Refusals of requests that were sent together count as one. */
const burstMs = 1000;

/** Additive increase, multiplicative decrease (Chiu and Jain 1989), never above `most`. */
export function createAdaptiveLimit(most: number, clock: Clock = systemClock): AdaptiveLimit {
  const { limit, run: runTask, end } = endableLimit(most);
  let fellAt = -Infinity;
  let successes = 0;

  async function run<T>(task: () => Promise<T>): Promise<T> {
    const value = await runTask(task);
    successes += 1;
    if (successes < limit.concurrency || limit.concurrency >= most) return value;
    limit.concurrency += 1;
    successes = 0;
    return value;
  }

  return Object.defineProperties(run, {
    concurrency: { get: () => limit.concurrency },
    end: { value: end },
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
