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

/** A table of every rater and pair is kept where it has no more cells; beyond that those that occur are sorted. */
const tableCells = 2 ** 24;

/** Counts how often each pair met before each rater: in the order of (rater, smaller item, larger item). */
export function raterPairCountsOf(
  items: number,
  raters: number,
  { a, b, outcome, rater }: { a: Int32Array; b: Int32Array; outcome: Int8Array; rater: Int32Array },
): RaterPairCounts {
  const cells = new Float64Array(a.length);
  for (let i = 0; i < cells.length; i++) {
    const left = a[i] as number;
    const right = b[i] as number;
    cells[i] = ((rater[i] as number) * items + Math.min(left, right)) * items + Math.max(left, right);
  }
  const { distinct, entryOf } = raters * items * items <= tableCells ? byTable(cells, raters * items * items) : bySorting(cells);
  const results = [0, 1, 2].map(() => new Float64Array(distinct.length)) as [Float64Array, Float64Array, Float64Array];
  for (let i = 0; i < cells.length; i++) {
    const result = (a[i] as number) < (b[i] as number) ? (outcome[i] as number) : -(outcome[i] as number);
    const ended = result > 0 ? results[0] : result < 0 ? results[1] : results[2];
    const entry = entryOf(cells[i] as number);
    ended[entry] = (ended[entry] as number) + 1;
  }
  const of = { rater: new Int32Array(distinct.length), a: new Int32Array(distinct.length), b: new Int32Array(distinct.length) };
  for (let entry = 0; entry < distinct.length; entry++) {
    const cell = distinct[entry] as number;
    of.rater[entry] = Math.floor(cell / items / items);
    of.a[entry] = Math.floor(cell / items) % items;
    of.b[entry] = cell % items;
  }
  return { items, raters, ...of, winsA: results[0], winsB: results[1], ties: results[2] };
}

/** The distinct cells, ascending, and where each of them stands. */
interface Entries {
  readonly distinct: Float64Array;
  readonly entryOf: (cell: number) => number;
}

function byTable(cells: Float64Array, size: number): Entries {
  const table = new Int32Array(size);
  for (const cell of cells) table[cell] = 1;
  let entries = 0;
  for (let cell = 0; cell < size; cell++) if (table[cell] === 1) table[cell] = ++entries;
  const distinct = new Float64Array(entries);
  for (let cell = 0, next = 0; cell < size; cell++) if (table[cell] !== 0) distinct[next++] = cell;
  return { distinct, entryOf: (cell) => (table[cell] as number) - 1 };
}

function bySorting(cells: Float64Array): Entries {
  const distinct = cells.toSorted().filter((cell, i, sorted) => i === 0 || cell !== sorted[i - 1]);
  const entry = new Map<number, number>();
  distinct.forEach((cell, i) => entry.set(cell, i));
  return { distinct, entryOf: (cell) => entry.get(cell) as number };
}
