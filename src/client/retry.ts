import { setMaxListeners } from "node:events";
import { InterruptedError, type Clock, type Random } from "../platform/index.js";
import type { Cooldown } from "./cooldown.js";
import { TransientFailure } from "./failures.js";

export interface RetryPolicy {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number;
  /** Milliseconds after the first attempt during which further attempts may start. */
  readonly totalMs: number;
  /** Bound of the first pause, in milliseconds; it doubles with each attempt. */
  readonly baseMs: number;
  /** Largest bound of a pause, in milliseconds. */
  readonly capMs: number;
}

/** Source: docs/design.md, "Reading from the service". */
export const defaultRetryPolicy: RetryPolicy = { attempts: 5, totalMs: 600_000, baseMs: 500, capMs: 60_000 };

/** Pause before attempt `attempt + 1`: uniform between 0 and the doubling bound ("full jitter"). */
export function backoffMs(policy: RetryPolicy, attempt: number, random: Random): number {
  return random() * Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
}

/** Maximum in seconds; longer values are treated as this. */
const longestAsked = 1e10;

/** The date format that RFC 9110, 5.6.7 requires of senders. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Milliseconds that a `Retry-After` header asks for: whole seconds or an HTTP date (RFC 9110, 10.2.3).
 * Undefined when there is none or it is in neither form.
 */
export function retryAfterMs(header: string | undefined, now: Date): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestAsked) * 1000;
  if (!httpDate.test(text)) return undefined;
  const instant = Date.parse(text);
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - now.getTime());
}

export interface RetryContext {
  readonly policy: RetryPolicy;
  readonly clock: Clock;
  readonly random: Random;
  readonly cooldown: Cooldown;
  readonly signal: AbortSignal | undefined;
  /** Whether a failure may be retried: a request that changes state only if the service did not process it. */
  readonly mayRetry: (failure: TransientFailure) => boolean;
  readonly onRetry: (failure: TransientFailure, attempt: number, waitMs: number) => void;
}

function giveUp(failure: TransientFailure, reason: string): TransientFailure {
  return new TransientFailure(`${failure.message} ${reason}`, { cause: failure });
}

const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;

/** Runs `attempt` until it succeeds, fails for good, or the policy ends. Returns the value and the attempts made. */
export async function withRetry<T>(
  attempt: () => Promise<T>,
  context: RetryContext,
): Promise<{ value: T; attempts: number }> {
  const { policy, clock, random, cooldown, signal } = context;
  if (signal) setMaxListeners(0, signal);
  const started = clock.monotonicMs();
  for (let made = 1; ; made++) {
    await cooldown.wait(signal);
    if (signal?.aborted) throw new InterruptedError();
    try {
      return { value: await attempt(), attempts: made };
    } catch (error) {
      if (!(error instanceof TransientFailure) || !context.mayRetry(error)) throw error;
      if (made >= policy.attempts) throw giveUp(error, `Gave up after ${made} attempts.`);
      const wait = (error.retryAfterMs ?? 0) + backoffMs(policy, made, random);
      const left = policy.totalMs - (clock.monotonicMs() - started);
      if (wait > left) {
        const asks = error.retryAfterMs === undefined ? "The next attempt would start in" : "It asks to wait";
        throw giveUp(
          error,
          `${asks} ${seconds(wait)}, longer than the ${seconds(Math.max(0, left))} left for this request.`,
        );
      }
      context.onRetry(error, made, wait);
      if (error.retryAfterMs !== undefined) cooldown.pause(error.retryAfterMs);
      await clock.sleep(wait, signal).catch(() => {
        throw new InterruptedError();
      });
    }
  }
}
