import { settings, UsageError } from "../platform/index.js";

/** One of the workers that export a snapshot together. */
export interface Worker {
  /** From 1. */
  readonly number: number;
  readonly of: number;
}

const most = settings.concurrency.maximum;

/** Reads `2/3`. @throws UsageError */
export function parseWorker(text: string): Worker {
  const [, number = 0, of = 0] = (/^(\d{1,3})\/(\d{1,3})$/.exec(text) ?? []).map(Number);
  if (number >= 1 && number <= of && of <= most) return { number, of };
  throw new UsageError(`--worker must be k/n, such as 2/3 for the second of three workers, with at most ${most}.`);
}

/** Whether text can name what workers export together: it becomes part of a key. */
export const isRoundName = (text: string): boolean => /^(?!\.+$)[\w.:+-]{1,200}$/.test(text);

/** The worker's share of what all read together. */
export const shareOf = <T>(all: readonly T[], { number, of }: Worker): T[] =>
  all.filter((_, i) => i % of === number - 1);

/** The worker's share of the concurrent requests. @throws UsageError if some worker would have none. */
export function concurrencyOf(total: number, { number, of }: Worker): number {
  if (total >= of) return Math.floor(total / of) + (number <= total % of ? 1 : 0);
  throw new UsageError(
    `--concurrency is for all workers together: ${total} is too few for ${of}. Pass at least ${of} to each of them.`,
  );
}
