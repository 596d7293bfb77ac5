/** A cache of the most recently used values. */
export interface Memory<V> {
  get(key: string, make: () => V): V;
}

/** A cache of at most `limit` values. */
export function createMemory<V>(limit: number): Memory<V> {
  const values = new Map<string, V>();
  return {
    get(key, make) {
      const isKnown = values.has(key);
      // Until values are forgotten, nothing depends on which was used last.
      if (isKnown && values.size < limit) return values.get(key) as V;
      const value = isKnown ? (values.get(key) as V) : make();
      values.delete(key);
      values.set(key, value);
      for (const oldest of values.keys()) {
        if (values.size <= limit) break;
        values.delete(oldest);
      }
      return value;
    },
  };
}
