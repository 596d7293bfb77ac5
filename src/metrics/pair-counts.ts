/**
 * How often each pair of items met and with what result, one entry a pair (or a pair and rater).
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

/** A table of all pairs is kept where it has no more cells; beyond that the pairs that met are sorted. */
export const tableCells = 4_000_000;

/**
 * Counts how often each pair met: pairs in the order of (smaller item, larger item). `counted`, an entry a
 * comparison, leaves out those where it is 0.
 */
export function pairCountsOf(
  items: number,
  { a, b, outcome }: { a: Int32Array; b: Int32Array; outcome: Int8Array },
  counted?: Uint8Array,
): PairCounts {
  const cellOf = (i: number): number => {
    const left = a[i] as number;
    const right = b[i] as number;
    return left < right ? left * items + right : right * items + left;
  };
  const cells = items * items <= tableCells ? null : distinctCells(a.length, cellOf, counted);
  const rows = cells === null ? items * items : cells.size;
  const results = [new Float64Array(rows), new Float64Array(rows), new Float64Array(rows)] as const; // low won, high won, tie
  for (let i = 0; i < a.length; i++) {
    if (counted?.[i] === 0) continue;
    const cell = cellOf(i);
    const row = cells === null ? cell : (cells.get(cell) as number);
    const result = outcome[i] as number;
    const of = result === 0 ? results[2] : result > 0 === (a[i] as number) < (b[i] as number) ? results[0] : results[1];
    of[row] = (of[row] as number) + 1;
  }
  const met = Float64Array.from(cells === null ? results[0].keys() : cells.keys()).filter((cell, row) => {
    const at = cells === null ? cell : row;
    return (results[0][at] as number) + (results[1][at] as number) + (results[2][at] as number) > 0;
  });
  const take = (column: Float64Array): Float64Array => met.map((cell) => column[cells === null ? cell : (cells.get(cell) as number)] as number);
  return {
    items,
    a: Int32Array.from(met, (cell) => Math.floor(cell / items)),
    b: Int32Array.from(met, (cell) => cell % items),
    winsA: take(results[0]),
    winsB: take(results[1]),
    ties: take(results[2]),
  };
}

/** The row of each pair that met, pairs ascending. */
function distinctCells(length: number, cellOf: (i: number) => number, counted?: Uint8Array): Map<number, number> {
  const all = new Float64Array(length);
  let used = 0;
  for (let i = 0; i < length; i++) if (counted?.[i] !== 0) all[used++] = cellOf(i);
  const rows = new Map<number, number>();
  for (const cell of all.subarray(0, used).sort()) if (!rows.has(cell)) rows.set(cell, rows.size);
  return rows;
}

/** The same counts among the items that met anyone, numbered anew; `present` has the old number of each. */
export function amongPresent(counts: PairCounts): { readonly present: Int32Array; readonly counts: PairCounts } {
  const number = new Int32Array(counts.items).fill(-1);
  for (const item of counts.a) number[item] = 0;
  for (const item of counts.b) number[item] = 0;
  const present = Int32Array.from(number.keys()).filter((item) => number[item] === 0);
  present.forEach((item, i) => (number[item] = i));
  const renumbered = (column: Int32Array): Int32Array => column.map((item) => number[item] as number);
  return { present, counts: { ...counts, items: present.length, a: renumbered(counts.a), b: renumbered(counts.b) } };
}
