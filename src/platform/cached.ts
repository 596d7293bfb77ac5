/** Values that are computed once and kept, and rows by a key. */

export function cached<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    const entry = known.get(of) ?? { value: compute(of) };
    known.set(of, entry);
    return entry.value;
  };
}

export function cachedBy<K extends object, P, V>(
  compute: (of: K, variant: P) => V,
): (of: K, variant: P) => V {
  const byVariant = cached<K, Map<P, V>>(() => new Map());
  return (of, variant) => {
    const known = byVariant(of);
    const value = known.get(variant) ?? compute(of, variant);
    known.set(variant, value);
    return value;
  };
}

const most = 10_000;

/** For keys that are few and come often. */
export function remembered<T, K extends string | number = string>(
  compute: (key: K) => T,
): (key: K) => T {
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

export const sumOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0);

export function groupsOf<T>(
  rows: readonly T[],
  keyOf: (row: T) => string,
): Map<string, [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** A function whose module is loaded on the first call. */
export const lazily =
  <A extends unknown[], V>(load: () => Promise<(...args: A) => V>) =>
  async (...args: A): Promise<Awaited<V>> =>
    await (
      await load()
    )(...args);
