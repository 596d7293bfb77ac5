import {
  DuckDBDataChunk,
  DOUBLE,
  INTEGER,
  BOOLEAN,
  type DuckDBConnection,
  type DuckDBType,
  type DuckDBValue,
  type DuckDBVector,
} from "@duckdb/node-api";
import { quoted } from "./source-views.js";

export type ColumnType = "integer" | "double" | "boolean";
export type Column = Int32Array | Float64Array | Int8Array;
export type Columns = Record<string, Column>;

const engineTypes: Record<ColumnType, DuckDBType> = { integer: INTEGER, double: DOUBLE, boolean: BOOLEAN };

/**
 * The rows of `sql` as typed arrays, one a column, in the query's order: integer, tinyint and double. They are read as
 * the engine makes them, so that memory holds them once. NULLs are not marked, so the query leaves none.
 */
export async function readColumnsOf(
  connection: DuckDBConnection,
  sql: string,
  params?: DuckDBValue[] | Record<string, DuckDBValue>,
): Promise<{ rows: number; columns: Columns }> {
  const result = await connection.stream(sql, params);
  const names = result.columnNames();
  const columns: Columns = {};
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
  return { rows, columns };
}

/** The column so far with room for `rows` of the type that `like` has: it grows by doubling. */
function roomFor(rows: number, column: Column | undefined, like: Column): Column {
  if (column !== undefined && column.length >= rows) return column;
  const wider = new (like.constructor as new (length: number) => Column)(Math.max(2 * (column?.length ?? 0), rows));
  if (column !== undefined) wider.set(column);
  return wider;
}

function itemsOf(vector: DuckDBVector, name: string): Column {
  const { items } = vector as unknown as { items?: unknown };
  if (items instanceof Int32Array || items instanceof Float64Array || items instanceof Int8Array) return items;
  throw new TypeError(`Column ${name} is ${vector.type.toString()}; a kernel reads integer, tinyint and double.`);
}

/** Stores columns as the table `name`, replacing it; NaN becomes NULL. */
export async function writeTable(
  connection: DuckDBConnection,
  name: string,
  types: Readonly<Record<string, ColumnType>>,
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
      names.map((column) => engineTypes[types[column] as ColumnType]),
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
