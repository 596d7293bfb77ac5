import type { Comparison } from "./items.js";
import type { Convention } from "./convention.js";

/** Online Elo over comparisons in their order. */
export function elo(comparisons: Iterable<Comparison>, convention: Convention["elo"]): Map<string, number> {
  const { k, start, scale, base, tie_value: tie, ties, update } = convention;
  const ratings = new Map<string, number>();
  let pending = new Map<string, number>();
  let session: string | undefined;
  const settle = (): void => {
    for (const [item, change] of pending) ratings.set(item, (ratings.get(item) ?? start) + change);
    pending = new Map();
  };
  const add = (item: string, change: number): void => {
    pending.set(item, (pending.get(item) ?? 0) + change);
  };
  for (const { a, b, result, session: own } of comparisons) {
    for (const item of [a, b]) if (!ratings.has(item)) ratings.set(item, start);
    if (result === 0.5 && ties === "skip") continue;
    if (update === "comparison" || own !== session) settle();
    session = own;
    const expected = 1 / (1 + base ** (((ratings.get(b) ?? start) - (ratings.get(a) ?? start)) / scale));
    const change = k * ((result === 0.5 ? tie : result) - expected);
    add(a, change);
    add(b, -change);
  }
  settle();
  return ratings;
}
