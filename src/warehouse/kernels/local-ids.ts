import type { ColumnVector } from "../columns.js";

/** Global ids, which count from 0 or 1, as dense local indices: `ids[local]` is the global id, ascending. */
export function localIds(columns: readonly ColumnVector[]): { ids: Int32Array; local: Int32Array[] } {
  let largest = -1;
  for (const column of columns)
    for (let i = 0; i < column.length; i++) largest = Math.max(largest, column[i] as number);
  const index = new Int32Array(largest + 1).fill(-1);
  for (const column of columns) for (let i = 0; i < column.length; i++) index[column[i] as number] = 0;
  const ids: number[] = [];
  for (let id = 0; id <= largest; id++) if (index[id] === 0) index[id] = ids.push(id) - 1;
  return {
    ids: Int32Array.from(ids),
    local: columns.map((column) => Int32Array.from(column, (id) => index[id] as number)),
  };
}
