import {
  DuckDBDataChunk,
  DOUBLE,
  INTEGER,
  BOOLEAN,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBVector,
} from "@duckdb/node-api";
import type { ColumnVector, Columns, VectorType } from "../columns.js";
import { quoted } from "../source-views.js";

const engineTypes: Record<VectorType, DuckDBType> = { integer: INTEGER, double: DOUBLE, boolean: BOOLEAN };

/**
 * The rows of a query as typed arrays, one per column, in its order: integer, tinyint and double. Each chunk is copied
 * as the engine makes it, so memory holds the rows once. NULLs are not marked: the query must yield none.
 */
export async function readColumnsOf(connection: DuckDBConnection, sql: string): Promise<Columns> {
  const result = await connection.stream(sql);
  const names = result.columnNames();
  const columns: Record<string, ColumnVector> = {};
  let rows = 0;
  for (;;) {
    const chunk = await result.fetchChunk();
    if (chunk === null || chunk.rowCount === 0) break;
    const upTo = rows + chunk.rowCount;
    names.forEach((name, index) => {
      const items = itemsOf(chunk.getColumnVector(index), name);
      const column = roomFor(upTo, columns[name], items);
      column.set(items.subarray(0, chunk.rowCount), rows);
      columns[name] = column;
    });
    rows = upTo;
  }
  for (const name of names) columns[name] = (columns[name] ?? new Float64Array(0)).slice(0, rows);
  return columns;
}

/** The column so far with room for `rows` elements, typed like `like`. It grows by doubling. */
function roomFor(rows: number, column: ColumnVector | undefined, like: ColumnVector): ColumnVector {
  if (column !== undefined && column.length >= rows) return column;
  const wider = new (like.constructor as new (length: number) => ColumnVector)(
    Math.max(2 * (column?.length ?? 0), rows),
  );
  if (column !== undefined) wider.set(column);
  return wider;
}

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
    chunk.setColumns(
      names.map((column) => {
        const values = columns[column] as ArrayLike<number>;
        const isBoolean = types[column] === "boolean";
        return Array.from({ length: count }, (_, i) => {
          const value = values[from + i] as number;
          if (Number.isNaN(value)) return null;
          return isBoolean ? value !== 0 : value;
        });
      }),
    );
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  return rows;
}
