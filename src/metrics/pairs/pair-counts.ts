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
    const half = (ties[p] as number) / 2;
    wins[a[p] as number] = (wins[a[p] as number] as number) + (winsA[p] as number) + half;
    wins[b[p] as number] = (wins[b[p] as number] as number) + (winsB[p] as number) + half;
  }
  return wins;
}

/** Comparisons of each pair, ties included. */
export function comparisonsOf({ winsA, winsB, ties }: PairCounts): Float64Array {
  return winsA.map((wins, p) => wins + (winsB[p] as number) + (ties[p] as number));
}

/** Comparisons of each item, ties included. */
export function comparisonsOfItems(counts: PairCounts): Float64Array {
  const total = new Float64Array(counts.items);
  comparisonsOf(counts).forEach((n, p) => {
    total[counts.a[p] as number] = (total[counts.a[p] as number] as number) + n;
    total[counts.b[p] as number] = (total[counts.b[p] as number] as number) + n;
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
  const met = (row: number): boolean =>
    (results[row] as number) + (results[rows + row] as number) + (results[2 * rows + row] as number) > 0;
  const cells = rowOf === null ? Array.from({ length: rows }, (_, row) => row).filter(met) : [...rowOf.keys()];
  const column = (result: number): Float64Array =>
    Float64Array.from(cells, (cell) => results[result * rows + (rowOf?.get(cell) ?? cell)] as number);
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
    const left = a[i] as number;
    const right = b[i] as number;
    const cell = left < right ? left * items + right : right * items + left;
    const row = rowOf === null ? cell : (rowOf.get(cell) as number);
    const result = left < right ? (outcome[i] as number) : -(outcome[i] as number);
    const at = (result + 1) * rows + row;
    results[at] = (results[at] as number) + 1;
  }
  return results;
}

/** The row of each pair with a comparison, pairs ascending. */
function rowsThatMet(items: number, { a, b }: PairOutcomes, counted: Uint8Array | undefined): Map<number, number> {
  const all = new Float64Array(a.length);
  let used = 0;
  for (let i = 0; i < a.length; i++) {
    if (counted?.[i] === 0) continue;
    all[used++] = Math.min(a[i] as number, b[i] as number) * items + Math.max(a[i] as number, b[i] as number);
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
  const renumbered = (column: Int32Array): Int32Array => column.map((item) => number[item] as number);
  return { present, counts: { ...counts, items: present.length, a: renumbered(counts.a), b: renumbered(counts.b) } };
}
