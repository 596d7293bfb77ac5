/** Weighted outcomes of one pair of items: `n` comparisons, `won` of them by the first (ties half). */
export interface Pair {
  i: number;
  j: number;
  won: number;
  n: number;
}

/** The comparison graph of K items, by number. `won[i]` counts wins plus half the ties. */
export interface Graph {
  items: readonly string[];
  pairs: Pair[];
  won: number[];
}

export interface Outcome {
  a: string;
  b: string;
  /** Weight of a win of `a` and of a win of `b`; their sum is the weight of the comparison. */
  forA: number;
  forB: number;
}

export function graphOf(items: readonly string[], outcomes: Iterable<Outcome>): Graph {
  const number = new Map(items.map((item, index) => [item, index]));
  const pairs = new Map<number, Pair>();
  const won = items.map(() => 0);
  for (const { a, b, forA, forB } of outcomes) {
    const [x, y] = [number.get(a) ?? 0, number.get(b) ?? 0];
    const [i, j] = x < y ? [x, y] : [y, x];
    const key = i * items.length + j;
    const pair = pairs.get(key) ?? { i, j, won: 0, n: 0 };
    pair.won += x < y ? forA : forB;
    pair.n += forA + forB;
    pairs.set(key, pair);
    won[x] = (won[x] ?? 0) + forA;
    won[y] = (won[y] ?? 0) + forB;
  }
  return { items, pairs: [...pairs.values()], won };
}
