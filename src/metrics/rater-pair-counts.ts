import type { PairCounts } from "./pair-counts.js";

/** Pair counts split by rater: one entry a pair and rater. Raters are indices from 0. */
export interface RaterPairCounts extends PairCounts {
  readonly raters: number;
  readonly rater: Int32Array;
}

/** The distinct pairs behind entries, and which of them each entry belongs to. */
export interface PairIndex {
  readonly ofEntry: Int32Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

export function pairIndex({ items, a, b }: Pick<PairCounts, "items" | "a" | "b">): PairIndex {
  const index = new Map<number, number>();
  const ofEntry = new Int32Array(a.length);
  for (let p = 0; p < a.length; p++) {
    const key = (a[p] as number) * items + (b[p] as number);
    let pair = index.get(key);
    if (pair === undefined) index.set(key, (pair = index.size));
    ofEntry[p] = pair;
  }
  const keys = [...index.keys()];
  return {
    ofEntry,
    a: Int32Array.from(keys, (key) => Math.floor(key / items)),
    b: Int32Array.from(keys, (key) => key % items),
  };
}

/** Counts how often each pair met before each rater: in the order of (rater, smaller item, larger item). */
export function raterPairCountsOf(
  items: number,
  raters: number,
  { a, b, outcome, rater }: { a: Int32Array; b: Int32Array; outcome: Int8Array; rater: Int32Array },
): RaterPairCounts {
  const coded = new Float64Array(a.length);
  for (let i = 0; i < a.length; i++) {
    const swap = (a[i] as number) > (b[i] as number);
    const [low, high] = swap ? [b[i] as number, a[i] as number] : [a[i] as number, b[i] as number];
    const result = (outcome[i] as number) * (swap ? -1 : 1);
    coded[i] = (((rater[i] as number) * items + low) * items + high) * 3 + (result > 0 ? 0 : result < 0 ? 1 : 2);
  }
  coded.sort();
  let entries = 0;
  for (let i = 0; i < coded.length; i++) if (i === 0 || keyAt(coded, i) !== keyAt(coded, i - 1)) entries++;
  const counts = [new Float64Array(entries), new Float64Array(entries), new Float64Array(entries)] as const;
  const out = { rater: new Int32Array(entries), a: new Int32Array(entries), b: new Int32Array(entries) };
  let entry = -1;
  for (let i = 0; i < coded.length; i++) {
    const key = keyAt(coded, i);
    if (i === 0 || key !== keyAt(coded, i - 1)) {
      entry++;
      out.rater[entry] = Math.floor(key / items / items);
      out.a[entry] = Math.floor(key / items) % items;
      out.b[entry] = key % items;
    }
    const of = counts[((coded[i] as number) % 3) as 0 | 1 | 2];
    of[entry] = (of[entry] as number) + 1;
  }
  return { items, raters, ...out, winsA: counts[0], winsB: counts[1], ties: counts[2] };
}

function keyAt(coded: Float64Array, i: number): number {
  return Math.floor((coded[i] as number) / 3);
}
