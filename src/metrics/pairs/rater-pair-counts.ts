import type { PairCounts } from "./pair-counts.js";

/** Pair counts split by rater: one entry per pair and rater. Raters are indices from 0. */
export interface RaterPairCounts extends PairCounts {
  readonly raters: number;
  readonly rater: Int32Array;
}

/** The distinct pairs of the entries, and the pair of each entry. */
export interface PairIndex {
  readonly ofEntry: Int32Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** Up to this many cells a table of all pairs, or of every rater and pair, is kept; beyond it those that occur. */
const tableCells = 2 ** 24;

export function pairIndex({ items, a, b }: Pick<PairCounts, "items" | "a" | "b">): PairIndex {
  const table = items * items <= tableCells ? new Int32Array(items * items) : null;
  const index = new Map<number, number>();
  const keys: number[] = [];
  const ofEntry = new Int32Array(a.length);
  for (let p = 0; p < a.length; p++) {
    const key = (a[p] as number) * items + (b[p] as number);
    let pair = (table === null ? (index.get(key) ?? 0) : (table[key] as number)) - 1;
    if (pair === -1) {
      pair = keys.push(key) - 1;
      if (table === null) index.set(key, pair + 1);
      else table[key] = pair + 1;
    }
    ofEntry[p] = pair;
  }
  return {
    ofEntry,
    a: Int32Array.from(keys, (key) => Math.floor(key / items)),
    b: Int32Array.from(keys, (key) => key % items),
  };
}

/** Counts how often each rater compared each pair, in the order of (rater, smaller item, larger item). */
export function raterPairCountsOf(
  items: number,
  raters: number,
  { a, b, outcome, rater }: { a: Int32Array; b: Int32Array; outcome: Int8Array; rater: Int32Array },
): RaterPairCounts {
  const size = raters * items * items;
  const cells = size <= tableCells ? new Int32Array(a.length) : new Float64Array(a.length);
  for (let i = 0; i < cells.length; i++) {
    const left = a[i] as number;
    const right = b[i] as number;
    cells[i] = ((rater[i] as number) * items + Math.min(left, right)) * items + Math.max(left, right);
  }
  const { distinct, entry } = size <= tableCells ? byTable(cells, size) : bySorting(cells);
  const winsA = new Float64Array(distinct.length);
  const winsB = new Float64Array(distinct.length);
  const ties = new Float64Array(distinct.length);
  for (let i = 0; i < entry.length; i++) {
    const at = entry[i] as number;
    const result = (a[i] as number) < (b[i] as number) ? (outcome[i] as number) : -(outcome[i] as number);
    if (result > 0) winsA[at] = (winsA[at] as number) + 1;
    else if (result < 0) winsB[at] = (winsB[at] as number) + 1;
    else ties[at] = (ties[at] as number) + 1;
  }
  const of = {
    rater: new Int32Array(distinct.length),
    a: new Int32Array(distinct.length),
    b: new Int32Array(distinct.length),
  };
  for (let at = 0; at < distinct.length; at++) {
    const cell = distinct[at] as number;
    of.rater[at] = Math.floor(cell / items / items);
    of.a[at] = Math.floor(cell / items) % items;
    of.b[at] = cell % items;
  }
  return { items, raters, ...of, winsA, winsB, ties };
}

type Cells = Int32Array | Float64Array;

/** The distinct cells, ascending, and the cell of each comparison. */
interface Entries {
  readonly distinct: Cells;
  readonly entry: Int32Array;
}

function byTable(cells: Cells, size: number): Entries {
  const table = new Int32Array(size);
  for (let i = 0; i < cells.length; i++) table[cells[i] as number] = 1;
  let entries = 0;
  for (let cell = 0; cell < size; cell++) if (table[cell] === 1) table[cell] = ++entries;
  const distinct = new Int32Array(entries);
  for (let cell = 0, next = 0; cell < size; cell++) if (table[cell] !== 0) distinct[next++] = cell;
  const entry = new Int32Array(cells.length);
  for (let i = 0; i < entry.length; i++) entry[i] = (table[cells[i] as number] as number) - 1;
  return { distinct, entry };
}

function bySorting(cells: Cells): Entries {
  const distinct = cells.toSorted().filter((cell, i, sorted) => i === 0 || cell !== sorted[i - 1]);
  const places = new Map<number, number>();
  distinct.forEach((cell, i) => places.set(cell, i));
  return { distinct, entry: Int32Array.from(cells, (cell) => places.get(cell) as number) };
}
