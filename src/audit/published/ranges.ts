import type { Cell } from "./group.js";

interface Range {
  low: number;
  high: number;
  numbers: number;
}

/** The lowest and the highest number of each field, and how many there are. */
export function rangesOf(cells: readonly Cell[]): ReadonlyMap<string, Readonly<Range>> {
  const ranges = new Map<string, Range>();
  for (const { field, published } of cells) {
    const { value } = published;
    const known = ranges.get(field);
    if (known === undefined) ranges.set(field, { low: value, high: value, numbers: 1 });
    else {
      known.low = Math.min(known.low, value);
      known.high = Math.max(known.high, value);
      known.numbers++;
    }
  }
  return ranges;
}
