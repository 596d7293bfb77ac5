export type ColumnType = "integer" | "double" | "boolean";
export type Column = Int32Array | Float64Array | Int8Array;
/** Columns of equal length, by name. */
export type Columns = Readonly<Record<string, Column>>;
