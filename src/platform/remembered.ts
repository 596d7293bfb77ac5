/** Keys that are remembered before all are forgotten. */
const most = 10_000;

/** A function of a text or number that remembers its results, for keys that are few and come often. */
export function remembered<T, K extends string | number = string>(compute: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size === most) known.clear();
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}
