/** Texts that are remembered before all are forgotten. */
const most = 10_000;

/** A function of a text that remembers its results, for texts that are few and come often. */
export function remembered<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size === most) known.clear();
    const value = compute(text);
    known.set(text, value);
    return value;
  };
}
