import type { DuckDBConnection, DuckDBType, DuckDBVector } from "@duckdb/node-api";
import { joined, type ColumnVector, type Columns, type VectorKind, type VectorType } from "../columns.js";
import { quoted } from "../source-views.js";
import { BOOLEAN, DOUBLE, DuckDBDataChunk, INTEGER } from "./api.js";

const engineTypes: Record<VectorType, DuckDBType> = { integer: INTEGER, double: DOUBLE, boolean: BOOLEAN };

/**
 * The rows of a query as typed arrays, one per column, in its order: integer, tinyint and double. Each chunk is copied
 * as the engine makes it, so memory holds the rows once, and one column twice. NULLs are not marked: the query must
 * yield none.
 * @param release gives back what the engine has freed before the rows are held twice
 */
export async function readColumnsOf(
  connection: DuckDBConnection,
  sql: string,
  release: () => Promise<void>,
): Promise<Columns> {
  const result = await connection.stream(sql);
  const pieces = result.columnNames().map((name) => ({ name, of: [] as ColumnVector[] }));
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    pieces.forEach(({ name, of }, index) =>
      of.push(itemsOf(chunk.getColumnVector(index), name).slice(0, chunk.rowCount)),
    );
  }
  await release();
  return Object.fromEntries(pieces.map(({ name, of }) => [name, joined(of, kindOf(of))]));
}

/** The kind of a column's pieces; of a column without rows, which has none, any. */
const kindOf = ([first = new Float64Array(0)]: readonly ColumnVector[]) => first.constructor as VectorKind;

function itemsOf(vector: DuckDBVector, name: string): ColumnVector {
  const { items } = vector as unknown as { items?: unknown };
  if (items instanceof Int32Array || items instanceof Float64Array || items instanceof Int8Array) return items;
  throw new TypeError(`Column ${name} is ${vector.type.toString()}: cast it to integer, tinyint or double.`);
}

/** Creates or replaces the table `name`; NaN becomes NULL. Returns the number of rows. */
export async function writeTable(
  connection: DuckDBConnection,
  name: string,
  types: Readonly<Record<string, VectorType>>,
  columns: Readonly<Record<string, ArrayLike<number>>>,
): Promise<number> {
  const names = Object.keys(types);
  const declared = names.map((column) => `${quoted(column)} ${types[column] as string}`).join(", ");
  await connection.run(`create or replace table ${quoted(name)} (${declared})`);
  const rows = columns[names[0] as string]?.length ?? 0;
  const appender = await connection.createAppender(name);
  const step = 2048;
  for (let from = 0; from < rows; from += step) {
    const count = Math.min(step, rows - from);
    const chunk = DuckDBDataChunk.create(
      names.map((column) => engineTypes[types[column] as VectorType]),
      count,
    );
    names.forEach((column, index) => {
      const values = columns[column] as ArrayLike<number>;
      const isBoolean = types[column] === "boolean";
      const vector = chunk.getColumnVector(index);
      for (let i = 0; i < count; i++) {
        const value = values[from + i] as number;
        vector.setItem(i, Number.isNaN(value) ? null : isBoolean ? value !== 0 : value);
      }
      vector.flush();
    });
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  return rows;
}
