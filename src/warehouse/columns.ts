export type VectorType = "integer" | "double" | "boolean";
export type ColumnVector = Int32Array | Float64Array | Int8Array;
/** Columns of equal length, by name. */
export type Columns = Readonly<Record<string, ColumnVector>>;

/** A class of typed arrays. */
export type VectorKind = (new (buffer: ArrayBufferLike) => ColumnVector) & { readonly BYTES_PER_ELEMENT: number };

/** The pieces of a column as one, in memory that threads can share. Empties `pieces`. */
export function joined(pieces: ColumnVector[], kind: VectorKind): ColumnVector {
  const rows = pieces.reduce((sum, { length }) => sum + length, 0);
  const column = new kind(new SharedArrayBuffer(rows * kind.BYTES_PER_ELEMENT));
  let at = 0;
  for (const piece of pieces) {
    column.set(piece, at);
    at += piece.length;
  }
  pieces.length = 0;
  return column;
}
