/** Recomputed numbers of one kind: `columns[field][i]` belongs to `items[i]`; NaN where there is none. */
export interface Table {
  readonly items: readonly string[];
  readonly columns: Readonly<Record<string, Float64Array>>;
}

export const emptyTable: Table = { items: [], columns: {} };
