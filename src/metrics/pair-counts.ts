/**
 * The number of comparisons of each pair of items, by outcome: one entry per pair (or per pair and rater).
 * Items are indices from 0 to `items` - 1; a and b differ.
 */
export interface PairCounts {
  readonly items: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly winsA: Float64Array;
  readonly winsB: Float64Array;
  readonly ties: Float64Array;
}

/** Wins of each item, a tie counting half for both. */
export function winsWithHalfTies({ items, a, b, winsA, winsB, ties }: PairCounts): Float64Array {
  const wins = new Float64Array(items);
  for (let p = 0; p < a.length; p++) {
    const half = ties[p]! / 2;
    wins[a[p]!] = wins[a[p]!]! + winsA[p]! + half;
    wins[b[p]!] = wins[b[p]!]! + winsB[p]! + half;
  }
  return wins;
}

/** Comparisons of each pair, ties included. */
export function comparisonsOf({ winsA, winsB, ties }: PairCounts): Float64Array {
  return winsA.map((wins, p) => wins + winsB[p]! + ties[p]!);
}

/** Comparisons of each item, ties included. */
export function comparisonsOfItems(counts: PairCounts): Float64Array {
  const total = new Float64Array(counts.items);
  comparisonsOf(counts).forEach((n, p) => {
    total[counts.a[p]!]! += n;
    total[counts.b[p]!]! += n;
  });
  return total;
}

/** Up to this many cells a table of all pairs is kept; beyond it the pairs that were compared are sorted. */
const tableCells = 4_000_000;

interface PairOutcomes {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly outcome: Int8Array;
}

/**
 * Counts the comparisons of each pair, in order of (smaller item, larger item). `counted`, one entry per comparison,
 * leaves out those where it is 0.
 */
export function pairCountsOf(items: number, played: PairOutcomes, counted?: Uint8Array): PairCounts {
  const rowOf = items * items <= tableCells ? null : rowsThatMet(items, played, counted);
  const rows = rowOf === null ? items * items : rowOf.size;
  const results = countResults(items, played, counted, rowOf, rows);
  const met = (row: number): boolean => results[row]! + results[rows + row]! + results[2 * rows + row]! > 0;
  const cells = rowOf === null ? Array.from({ length: rows }, (_, row) => row).filter(met) : [...rowOf.keys()];
  const column = (result: number): Float64Array =>
    Float64Array.from(cells, (cell) => results[result * rows + (rowOf?.get(cell) ?? cell)]!);
  return {
    items,
    a: Int32Array.from(cells, (cell) => Math.floor(cell / items)),
    b: Int32Array.from(cells, (cell) => cell % items),
    winsA: column(2),
    winsB: column(0),
    ties: column(1),
  };
}

/** For each row: wins of the larger item, ties, wins of the smaller item. */
function countResults(
  items: number,
  { a, b, outcome }: PairOutcomes,
  counted: Uint8Array | undefined,
  rowOf: ReadonlyMap<number, number> | null,
  rows: number,
): Float64Array {
  const results = new Float64Array(3 * rows);
  for (let i = 0; i < a.length; i++) {
    if (counted !== undefined && counted[i] === 0) continue;
    const left = a[i]!;
    const right = b[i]!;
    const cell = left < right ? left * items + right : right * items + left;
    const row = rowOf === null ? cell : rowOf.get(cell)!;
    const result = left < right ? outcome[i]! : -outcome[i]!;
    const at = (result + 1) * rows + row;
    results[at]! += 1;
  }
  return results;
}

/** The row of each pair with a comparison, pairs ascending. */
function rowsThatMet(items: number, { a, b }: PairOutcomes, counted: Uint8Array | undefined): Map<number, number> {
  const all = new Float64Array(a.length);
  let used = 0;
  for (let i = 0; i < a.length; i++) {
    if (counted?.[i] === 0) continue;
    all[used++] = Math.min(a[i]!, b[i]!) * items + Math.max(a[i]!, b[i]!);
  }
  const rows = new Map<number, number>();
  for (const cell of all.subarray(0, used).sort()) if (!rows.has(cell)) rows.set(cell, rows.size);
  return rows;
}

/** The same counts among the items that were compared, renumbered from 0; `present` has the old number of each. */
export function amongPresent(counts: PairCounts): { readonly present: Int32Array; readonly counts: PairCounts } {
  const number = new Int32Array(counts.items).fill(-1);
  for (const item of counts.a) number[item] = 0;
  for (const item of counts.b) number[item] = 0;
  const present = Int32Array.from(number.keys()).filter((item) => number[item] === 0);
  present.forEach((item, i) => (number[item] = i));
  const renumbered = (column: Int32Array): Int32Array => column.map((item) => number[item]!);
  return { present, counts: { ...counts, items: present.length, a: renumbered(counts.a), b: renumbered(counts.b) } };
}

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
const raterTableCells = 2 ** 24;

export function pairIndex({ items, a, b }: Pick<PairCounts, "items" | "a" | "b">): PairIndex {
  const table = items * items <= raterTableCells ? new Int32Array(items * items) : null;
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

/** Counts how often each rater compared each pair, in the order of (rater, smaller item, larger item). */
export function raterPairCountsOf(
  items: number,
  raters: number,
  { a, b, outcome, rater }: { a: Int32Array; b: Int32Array; outcome: Int8Array; rater: Int32Array },
): RaterPairCounts {
  const size = raters * items * items;
  const cells = size <= raterTableCells ? new Int32Array(a.length) : new Float64Array(a.length);
  for (let i = 0; i < cells.length; i++) {
    const left = a[i]!;
    const right = b[i]!;
    cells[i] = (rater[i]! * items + Math.min(left, right)) * items + Math.max(left, right);
  }
  const { distinct, entry } = size <= raterTableCells ? byTable(cells, size) : bySorting(cells);
  const winsA = new Float64Array(distinct.length);
  const winsB = new Float64Array(distinct.length);
  const ties = new Float64Array(distinct.length);
  for (let i = 0; i < entry.length; i++) {
    const at = entry[i]!;
    const result = a[i]! < b[i]! ? outcome[i]! : -outcome[i]!;
    if (result > 0) winsA[at]! += 1;
    else if (result < 0) winsB[at]! += 1;
    else ties[at]! += 1;
  }
  const of = {
    rater: new Int32Array(distinct.length),
    a: new Int32Array(distinct.length),
    b: new Int32Array(distinct.length),
  };
  for (let at = 0; at < distinct.length; at++) {
    const cell = distinct[at]!;
    of.rater[at] = Math.floor(cell / items / items);
    of.a[at] = Math.floor(cell / items) % items;
    of.b[at] = cell % items;
  }
  return { items, raters, ...of, winsA, winsB, ties };
}

type CellArray = Int32Array | Float64Array;

/** The distinct cells, ascending, and the cell of each comparison. */
interface DistinctCells {
  readonly distinct: CellArray;
  readonly entry: Int32Array;
}

function byTable(cells: CellArray, size: number): DistinctCells {
  const table = new Int32Array(size);
  for (let i = 0; i < cells.length; i++) table[cells[i]!] = 1;
  let entries = 0;
  for (let cell = 0; cell < size; cell++) if (table[cell] === 1) table[cell] = ++entries;
  const distinct = new Int32Array(entries);
  for (let cell = 0, next = 0; cell < size; cell++) if (table[cell] !== 0) distinct[next++] = cell;
  const entry = new Int32Array(cells.length);
  for (let i = 0; i < entry.length; i++) entry[i] = table[cells[i]!]! - 1;
  return { distinct, entry };
}

function bySorting(cells: CellArray): DistinctCells {
  const distinct = cells.toSorted().filter((cell, i, sorted) => i === 0 || cell !== sorted[i - 1]);
  const places = new Map<number, number>();
  distinct.forEach((cell, i) => places.set(cell, i));
  return { distinct, entry: Int32Array.from(cells, (cell) => places.get(cell)!) };
}
