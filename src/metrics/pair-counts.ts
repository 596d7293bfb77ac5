/** Counts of comparisons. */
import { namelessOrder } from "../platform/index.js";

/**
 * Weighted comparisons by pair (or pair and rater) and outcome. Items are numbered from 0; a and b
 * differ, unless the audit counts items that are compared with themselves.
 */
export interface PairCounts {
  readonly items: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly winsA: Float64Array;
  readonly winsB: Float64Array;
  readonly ties: Float64Array;
}

/** By item. */
export function winsWithHalfTies({ items, a, b, winsA, winsB, ties }: PairCounts): Float64Array {
  const wins = new Float64Array(items);
  for (let p = 0; p < a.length; p++) {
    const half = ties[p]! / 2;
    wins[a[p]!] = wins[a[p]!]! + winsA[p]! + half;
    wins[b[p]!] = wins[b[p]!]! + winsB[p]! + half;
  }
  return wins;
}

/** By entry, ties included. */
export function comparisonsOf({ winsA, winsB, ties }: PairCounts): Float64Array {
  return winsA.map((wins, p) => wins + winsB[p]! + ties[p]!);
}

/** By item, ties included. */
export function comparisonsOfItems(counts: PairCounts): Float64Array {
  const total = new Float64Array(counts.items);
  comparisonsOf(counts).forEach((n, p) => {
    total[counts.a[p]!]! += n;
    total[counts.b[p]!]! += n;
  });
  return total;
}

interface PairOutcomes {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly outcome: Int8Array;
  /** Absent: one each. */
  readonly weight?: Float64Array | undefined;
}

/** By (smaller item, larger item). `counted`, by comparison: 0 leaves it out. */
export function pairCountsOf(
  items: number,
  played: PairOutcomes,
  counted?: Uint8Array,
): PairCounts {
  const rater = new Int32Array(played.a.length);
  const { a, b, winsA, winsB, ties } = raterPairCountsOf(items, 1, { ...played, rater }, counted);
  return { items, a, b, winsA, winsB, ties };
}

/** Items with a comparison, renumbered from 0; `present`: their old numbers. */
export function amongPresent(counts: PairCounts): {
  readonly present: Int32Array;
  readonly counts: PairCounts;
} {
  const number = new Int32Array(counts.items).fill(-1);
  for (const item of counts.a) number[item] = 0;
  for (const item of counts.b) number[item] = 0;
  const present = Int32Array.from(number.keys()).filter((item) => number[item] === 0);
  present.forEach((item, i) => (number[item] = i));
  const renumbered = (column: Int32Array): Int32Array => column.map((item) => number[item]!);
  return {
    present,
    counts: { ...counts, items: present.length, a: renumbered(counts.a), b: renumbered(counts.b) },
  };
}

/** An entry per pair and rater; raters from 0. */
export interface RaterPairCounts extends PairCounts {
  readonly raters: number;
  readonly rater: Int32Array;
}

/** The items, and the raters, in an order that no name decides. */
export const namelessOrders = ({ items, raters, a, b, rater, ...of }: RaterPairCounts) =>
  namelessOrder(
    [items, raters],
    [
      { kind: 0, ids: a, own: of.winsA },
      { kind: 0, ids: b, own: of.winsB },
      { kind: 1, ids: rater },
    ],
    of.ties,
  );

/** Distinct pairs, and each entry's. */
export interface PairIndex {
  readonly ofEntry: Int32Array;
  readonly a: Int32Array;
  readonly b: Int32Array;
}

/** Largest table of all pairs, or raters and pairs; beyond it only those that occur. */
const tableCells = 2 ** 24;

export function pairIndex({ items, a, b }: Pick<PairCounts, "items" | "a" | "b">): PairIndex {
  const table = items * items <= tableCells ? new Int32Array(items * items) : null;
  const index = new Map<number, number>();
  const keys: number[] = [];
  const ofEntry = new Int32Array(a.length);
  for (let p = 0; p < a.length; p++) {
    const key = a[p]! * items + b[p]!;
    let pair = (table === null ? (index.get(key) ?? 0) : table[key]!) - 1;
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

/** By (rater, smaller item, larger item). `counted`, by comparison: 0 leaves it out. */
export function raterPairCountsOf(
  items: number,
  raters: number,
  { a, b, outcome, rater, weight }: PairOutcomes & { readonly rater: Int32Array },
  counted?: Uint8Array,
): RaterPairCounts {
  const cells = new Float64Array(a.length);
  for (let i = 0; i < cells.length; i++) {
    const left = a[i]!;
    const right = b[i]!;
    cells[i] =
      counted?.[i] === 0
        ? -1
        : (rater[i]! * items + Math.min(left, right)) * items + Math.max(left, right);
  }
  const size = raters * items * items;
  const { distinct, entry } = size <= tableCells ? byTable(cells, size) : bySorting(cells);
  const winsA = new Float64Array(distinct.length);
  const winsB = new Float64Array(distinct.length);
  const ties = new Float64Array(distinct.length);
  for (let i = 0; i < entry.length; i++) {
    const at = entry[i]!;
    if (cells[i] === -1) continue;
    const result = a[i]! <= b[i]! ? outcome[i]! : -outcome[i]!;
    const column = result > 0 ? winsA : result < 0 ? winsB : ties;
    column[at]! += weight === undefined ? 1 : weight[i]!;
  }
  return {
    items,
    raters,
    rater: Int32Array.from(distinct, (cell) => Math.floor(cell / items / items)),
    a: Int32Array.from(distinct, (cell) => Math.floor(cell / items) % items),
    b: Int32Array.from(distinct, (cell) => cell % items),
    winsA,
    winsB,
    ties,
  };
}

/** Those that are not -1, ascending, and each cell's place among them. */
interface DistinctCells {
  readonly distinct: readonly number[];
  readonly entry: Int32Array;
}

function byTable(cells: Float64Array, size: number): DistinctCells {
  const table = new Int32Array(size);
  for (let i = 0; i < cells.length; i++) if (cells[i] !== -1) table[cells[i]!] = 1;
  const distinct: number[] = [];
  for (let cell = 0; cell < size; cell++)
    if (table[cell] === 1) table[cell] = distinct.push(cell) - 1;
  const entry = new Int32Array(cells.length);
  for (let i = 0; i < entry.length; i++) if (cells[i] !== -1) entry[i] = table[cells[i]!]!;
  return { distinct, entry };
}

function bySorting(cells: Float64Array): DistinctCells {
  const distinct = [...new Set(cells.toSorted())].filter((cell) => cell !== -1);
  const places = new Map(distinct.map((cell, i) => [cell, i]));
  return { distinct, entry: Int32Array.from(cells, (cell) => places.get(cell) ?? 0) };
}
