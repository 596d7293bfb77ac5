/** Work that continues after the response of its request. Its failures are not reported. */
export interface Background {
  add(work: Promise<unknown>): void;
  /** Resolves once everything has ended. */
  settled(): Promise<void>;
}

export function createBackground(): Background {
  const underWay = new Set<Promise<unknown>>();
  return {
    add(work) {
      const own = work.catch(() => undefined).finally(() => underWay.delete(own));
      underWay.add(own);
    },
    async settled() {
      await Promise.all(underWay);
    },
  };
}
