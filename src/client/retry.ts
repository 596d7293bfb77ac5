/** When a request is sent again: pauses, the bound of attempts, and what a service asks to wait. */
import { setMaxListeners } from "node:events";
import { counted, InterruptedError, settings, type Clock, type Random } from "../platform/index.js";
import { TransientFailure } from "./failures.js";

export interface RetryPolicy {
  /** Maximum while the service answers, the first included. An outage has no such bound. */
  readonly attempts: number;
  /** Milliseconds after the first attempt during which further attempts may start. */
  readonly totalMs: number;
  /** Bound of the first pause, in milliseconds; it doubles with each attempt. */
  readonly baseMs: number;
  /** Largest bound of a pause, in milliseconds. */
  readonly capMs: number;
}

/** Source: docs/explanation/design.md, "Reading from the service". */
export const defaultRetryPolicy: RetryPolicy = {
  attempts: 5,
  totalMs: settings.retry_for.default * 1000,
  baseMs: 500,
  capMs: 60_000,
};

/** Uniform between 0 and the doubling bound ("full jitter"). */
export function backoffMs(policy: RetryPolicy, attempt: number, random: Random): number {
  return random() * Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1));
}

/** Maximum in seconds; longer values are treated as this. */
const longestAsked = 1e10;

/** The date format that RFC 9110, 5.6.7 requires of senders. */
const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Whole seconds or an HTTP date (RFC 9110, 10.2.3); undefined for anything else. */
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
  /** A request that changes state is repeated only if the service did not process it. */
  readonly mayRetry: (failure: TransientFailure) => boolean;
  /** @param leftMs milliseconds during which further attempts may start */
  readonly onRetry: (
    failure: TransientFailure,
    attempt: number,
    waitMs: number,
    leftMs: number,
  ) => void;
}

function giveUp(failure: TransientFailure, reason: string): TransientFailure {
  return new TransientFailure(`${failure.message} ${reason}`, { cause: failure });
}

const secondsUp = (ms: number) => `${Math.ceil(ms / 1000)} s`;

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
      const passed = clock.monotonicMs() - started;
      const left = Math.max(0, policy.totalMs - passed);
      const asked = error.retryAfterMs ?? 0;
      if (asked > left)
        throw giveUp(
          error,
          `It asks to wait ${secondsUp(asked)}, longer than the ${secondsUp(left)} left for ` +
            "this request.",
        );
      if (!error.isOutage && made >= policy.attempts)
        throw giveUp(error, `Gave up after ${counted(made, "attempt")}.`);
      if (left === 0)
        throw giveUp(error, `Gave up after ${counted(made, "attempt")} in ${secondsUp(passed)}.`);
      const wait = asked + Math.min(backoffMs(policy, made, random), left - asked);
      context.onRetry(error, made, wait, left);
      if (error.retryAfterMs !== undefined) cooldown.pause(error.retryAfterMs);
      await clock.sleep(wait, signal).catch(() => {
        throw new InterruptedError();
      });
    }
  }
}

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
