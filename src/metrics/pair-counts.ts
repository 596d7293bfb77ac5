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

/** Counts how often each pair met: pairs in the order of (smaller item, larger item). */
export function pairCountsOf(
  items: number,
  { a, b, outcome }: { a: Int32Array; b: Int32Array; outcome: Int8Array },
): PairCounts {
  const cells = new Float64Array(items * items);
  const tied = new Float64Array(items * items);
  for (let i = 0; i < a.length; i++) {
    const left = a[i] as number;
    const right = b[i] as number;
    const result = outcome[i] as number;
    if (result === 0) {
      const cell = left < right ? left * items + right : right * items + left;
      tied[cell] = (tied[cell] as number) + 1;
    } else {
      const cell = result > 0 ? left * items + right : right * items + left;
      cells[cell] = (cells[cell] as number) + 1;
    }
  }
  const pairs: [number, number][] = [];
  for (let i = 0; i < items; i++) {
    for (let j = i + 1; j < items; j++) {
      if ((cells[i * items + j] as number) + (cells[j * items + i] as number) + (tied[i * items + j] as number) > 0) {
        pairs.push([i, j]);
      }
    }
  }
  return {
    items,
    a: Int32Array.from(pairs, ([i]) => i),
    b: Int32Array.from(pairs, ([, j]) => j),
    winsA: Float64Array.from(pairs, ([i, j]) => cells[i * items + j] as number),
    winsB: Float64Array.from(pairs, ([i, j]) => cells[j * items + i] as number),
    ties: Float64Array.from(pairs, ([i, j]) => tied[i * items + j] as number),
  };
}
