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
 * The rows of `sql` as typed arrays, one a column, in the query's order: integer, tinyint and double.
 * NULLs are not marked, so the query leaves none.
 */
export async function readColumnsOf(
  connection: DuckDBConnection,
  sql: string,
  params?: DuckDBValue[] | Record<string, DuckDBValue>,
): Promise<{ rows: number; columns: Columns }> {
  const result = await connection.run(sql, params);
  const names = result.columnNames();
  const chunks = await result.fetchAllChunks();
  const rows = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
  const columns: Columns = {};
  names.forEach((name, index) => {
    let whole: Column | undefined;
    let offset = 0;
    for (const chunk of chunks) {
      const items = itemsOf(chunk.getColumnVector(index), name);
      whole ??= new (items.constructor as new (length: number) => Column)(rows);
      whole.set(items.subarray(0, chunk.rowCount), offset);
      offset += chunk.rowCount;
    }
    columns[name] = whole ?? new Float64Array(0);
  });
  return { rows, columns };
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
    const chunk = DuckDBDataChunk.create(names.map((column) => engineTypes[types[column] as ColumnType]), count);
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
