export type VectorType = "integer" | "double" | "boolean";
export type ColumnVector = Int32Array | Float64Array | Int8Array;
/** Columns of equal length, by name. */
export type Columns = Readonly<Record<string, ColumnVector>>;
