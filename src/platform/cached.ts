/** Computes what derives from an object once, and keeps it as long as the object. */
export function cached<K extends object, V>(compute: (of: K) => V): (of: K) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (of) => {
    const entry = known.get(of) ?? { value: compute(of) };
    known.set(of, entry);
    return entry.value;
  };
}

/** The same for each of a few variants. */
export function cachedBy<K extends object, P, V>(compute: (of: K, variant: P) => V): (of: K, variant: P) => V {
  const byVariant = cached<K, Map<P, V>>(() => new Map());
  return (of, variant) => {
    const known = byVariant(of);
    const value = known.get(variant) ?? compute(of, variant);
    known.set(variant, value);
    return value;
  };
}
