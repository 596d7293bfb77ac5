/** A cache of the most recently used values. */
export interface Memory<V> {
  get(key: string, make: () => V): V;
}

/** A cache of at most `limit` values. */
export function createMemory<V>(limit: number): Memory<V> {
  const values = new Map<string, V>();
  return {
    get(key, make) {
      const value = values.has(key) ? (values.get(key) as V) : make();
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
