import type { Column } from "../columns.js";

/** Rows `from` up to but not including `to` share one group id. */
export interface GroupSlice {
  readonly group: number;
  readonly from: number;
  readonly to: number;
}

/** The slices of a sorted column of group ids. */
export function* slicesOf(ids: Column): Generator<GroupSlice> {
  for (let from = 0; from < ids.length; ) {
    const group = ids[from] as number;
    let to = from + 1;
    while (to < ids.length && ids[to] === group) to++;
    yield { group, from, to };
    from = to;
  }
}

/** Global ids as dense local indices: `ids[local]` is the global id, in ascending order. */
export function localIds(columns: readonly Column[]): { ids: Int32Array; local: Int32Array[] } {
  const seen = new Set<number>();
  for (const column of columns) for (const id of column) seen.add(id);
  const ids = Int32Array.from(seen).sort();
  const index = new Map(Array.from(ids, (id, i) => [id, i]));
  return { ids, local: columns.map((column) => Int32Array.from(column, (id) => index.get(id) as number)) };
}

/** A growing table: rows are appended column by column, a group at a time. */
export class TableBuilder<N extends string> {
  readonly columns: Record<N, number[]>;
  constructor(names: readonly N[]) {
    this.columns = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<N, number[]>;
  }
  add(row: Record<N, number>): void {
    for (const name of Object.keys(this.columns) as N[]) this.columns[name].push(row[name]);
  }
}
