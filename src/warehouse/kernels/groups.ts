import type { ColumnVector } from "../columns.js";

/** Rows `from` up to but not including `to` share one group id. */
export interface GroupSlice {
  readonly group: number;
  readonly from: number;
  readonly to: number;
}

/** The slices of a sorted column of group ids. */
export function* slicesOf(ids: ColumnVector): Generator<GroupSlice> {
  for (let from = 0; from < ids.length;) {
    const group = ids[from] as number;
    let to = from + 1;
    while (to < ids.length && ids[to] === group) to++;
    yield { group, from, to };
    from = to;
  }
}

/** Global ids, which count from 0 or 1, as dense local indices: `ids[local]` is the global id, ascending. */
export function localIds(columns: readonly ColumnVector[]): { ids: Int32Array; local: Int32Array[] } {
  let largest = -1;
  for (const column of columns)
    for (let i = 0; i < column.length; i++) largest = Math.max(largest, column[i] as number);
  const index = new Int32Array(largest + 1).fill(-1);
  for (const column of columns) for (let i = 0; i < column.length; i++) index[column[i] as number] = 0;
  const ids: number[] = [];
  for (let id = 0; id <= largest; id++) if (index[id] === 0) index[id] = ids.push(id) - 1;
  const localOf = (column: ColumnVector): Int32Array => {
    const local = new Int32Array(column.length);
    for (let i = 0; i < column.length; i++) local[i] = index[column[i] as number] as number;
    return local;
  };
  return { ids: Int32Array.from(ids), local: columns.map(localOf) };
}

/** A growing table: rows are appended column by column, a group at a time. */
export interface TableBuilder<N extends string> {
  readonly columns: Readonly<Record<N, number[]>>;
  add(row: Readonly<Record<N, number>>): void;
}

export function createTable<N extends string>(names: readonly N[]): TableBuilder<N> {
  const columns = Object.fromEntries(names.map((name): [string, number[]] => [name, []])) as Record<N, number[]>;
  return {
    columns,
    add(row) {
      for (const name of names) columns[name].push(row[name]);
    },
  };
}
