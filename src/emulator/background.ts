import { setMaxListeners } from "node:events";

/** Work that continues after the response of its request. Its failures are not reported. */
export interface Background {
  add(work: Promise<unknown>): void;
  /** Aborts when the emulator closes. */
  readonly signal: AbortSignal;
  /** Resolves once everything has ended. */
  close(): Promise<void>;
}

export function createBackground(): Background {
  const underWay = new Set<Promise<unknown>>();
  const closing = new AbortController();
  // Any number of jobs may wait for the signal.
  setMaxListeners(0, closing.signal);
  return {
    signal: closing.signal,
    add(work) {
      const own = work.catch(() => undefined).finally(() => underWay.delete(own));
      underWay.add(own);
    },
    async close() {
      closing.abort();
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
