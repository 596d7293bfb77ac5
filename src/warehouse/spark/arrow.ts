import { tableFromIPC, type Vector } from "apache-arrow";
import { joined, type Columns, type ColumnVector, type VectorKind } from "../columns.js";
import { SparkError } from "./failures.js";

const kinds: Readonly<Record<string, VectorKind>> = {
  Int32: Int32Array,
  Int8: Int8Array,
  Float64: Float64Array,
};

/** The columns of batches of rows as typed arrays. Memory holds the rows once, and one column twice. */
export async function collectColumns(batches: AsyncIterable<Uint8Array>): Promise<Columns> {
  const pieces = new Map<string, { readonly kind: VectorKind; readonly of: ColumnVector[] }>();
  for await (const bytes of batches) {
    const table = tableFromIPC(bytes);
    for (const { name, type } of table.schema.fields) {
      const kind = kinds[String(type)];
      if (kind === undefined)
        throw new SparkError(`Column ${name} is ${String(type)}: cast it to int, tinyint or double.`);
      const column = pieces.get(name) ?? { kind, of: [] };
      pieces.set(name, column);
      for (const data of (table.getChild(name) as Vector).data) {
        if (data.nullCount > 0) throw new SparkError(`Column ${name} has a NULL: the query must yield none.`);
        if (data.length > 0) column.of.push((data.values as ColumnVector).slice(0, data.length));
      }
    }
  }
  return Object.fromEntries([...pieces].map(([name, { kind, of }]) => [name, joined(of, kind)]));
}
