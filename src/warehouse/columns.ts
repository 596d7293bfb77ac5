export type VectorType = "integer" | "double" | "boolean";
export type ColumnVector = Int32Array | Float64Array | Int8Array;
/** Columns of equal length, by name. */
export type Columns = Readonly<Record<string, ColumnVector>>;

/** The pieces of a column as one. Empties `pieces`. */
export function joined(pieces: ColumnVector[], kind: new (length: number) => ColumnVector): ColumnVector {
  const column = new kind(pieces.reduce((rows, { length }) => rows + length, 0));
  let at = 0;
  for (const piece of pieces) {
    column.set(piece, at);
    at += piece.length;
  }
  pieces.length = 0;
  return column;
}
