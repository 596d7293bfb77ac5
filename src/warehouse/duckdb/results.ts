/** Results of the engine as rows and typed arrays, and typed arrays as tables. */
import type {
  DuckDBConnection,
  DuckDBResult,
  DuckDBType,
  DuckDBVector,
  JS,
} from "@duckdb/node-api";
import type { Columns, ColumnVector, VectorType } from "../../metrics/index.js";
import { joinedVectors, type Row, type RowStream, type VectorKind } from "../engine.js";
import { quoted } from "../parquet.js";
import {
  BOOLEAN,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBTypeId,
  INTEGER,
  JSDuckDBValueConverter,
  numericTypes,
} from "./api.js";

export function plainValue(value: JS): Row[string] {
  if (typeof value === "bigint") {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER
      ? Number(value)
      : value;
  }
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, plainValue(field)]),
  );
}

const asText = new Set<DuckDBTypeId>([
  DuckDBTypeId.DECIMAL,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIME,
  DuckDBTypeId.TIME_NS,
  DuckDBTypeId.INTERVAL,
  DuckDBTypeId.BIT,
]);

export function rowStream(result: DuckDBResult): RowStream {
  const types = result.columnTypes();
  let chunk: DuckDBDataChunk | null = null;
  let at = 0;
  const advance = async (): Promise<boolean> => {
    while (chunk === null || at >= chunk.rowCount) {
      chunk = await result.fetchChunk();
      at = 0;
      if (chunk === null || chunk.rowCount === 0) return false;
    }
    return true;
  };
  return {
    columns: result
      .columnNames()
      .map((name, i) => ({ name, isNumber: numericTypes.has(types[i]!.typeId) })),
    async take(count) {
      const rows: Row[string][][] = [];
      while (rows.length < count && (await advance()))
        while (rows.length < count && at < (chunk as DuckDBDataChunk).rowCount)
          rows.push(rowAt(chunk as DuckDBDataChunk, at++, types));
      return rows;
    },
    async skip(most = Infinity) {
      let rows = 0;
      while (rows < most && (await advance())) {
        rows += (chunk as DuckDBDataChunk).rowCount - at;
        at = (chunk as DuckDBDataChunk).rowCount;
      }
      return rows;
    },
  };
}

function rowAt(chunk: DuckDBDataChunk, row: number, types: readonly DuckDBType[]): Row[string][] {
  return types.map((type, column) => {
    const value = chunk.getColumnVector(column).getItem(row);
    if (value === null) return null;
    return asText.has(type.typeId)
      ? String(value)
      : plainValue(JSDuckDBValueConverter(value, type, JSDuckDBValueConverter));
  });
}

const engineTypes: Record<VectorType, DuckDBType> = {
  integer: INTEGER,
  double: DOUBLE,
  boolean: BOOLEAN,
};

/**
 * A typed array per column: integer, tinyint and double. The query must yield no NULL. Memory holds
 * the rows once, and one column twice.
 * @param release gives back what the engine has freed
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
      of.push(vectorItems(chunk.getColumnVector(index), name).slice(0, chunk.rowCount)),
    );
  }
  await release();
  return Object.fromEntries(
    pieces.map(({ name, of }) => [name, joinedVectors(of, vectorKindOf(of))]),
  );
}

const vectorKindOf = ([first = new Float64Array(0)]: readonly ColumnVector[]) =>
  first.constructor as VectorKind;

function vectorItems(vector: DuckDBVector, name: string): ColumnVector {
  const { items } = vector as unknown as { items?: unknown };
  if (items instanceof Int32Array || items instanceof Float64Array || items instanceof Int8Array)
    return items;
  throw new TypeError(
    `Column ${name} is ${vector.type.toString()}: cast it to integer, tinyint or double.`,
  );
}

/** NaN becomes NULL. Returns the number of rows. */
export async function writeTable(
  connection: DuckDBConnection,
  { schema, name }: { readonly schema: string; readonly name: string },
  types: Readonly<Record<string, VectorType>>,
  columns: Readonly<Record<string, ArrayLike<number>>>,
): Promise<number> {
  const names = Object.keys(types);
  const declared = names.map((column) => `${quoted(column)} ${types[column] as string}`).join(", ");
  await connection.run(`create or replace table ${quoted(name)} (${declared})`);
  const rows = columns[names[0]!]?.length ?? 0;
  const appender = await connection.createAppender(name, schema);
  const step = 2048;
  for (let from = 0; from < rows; from += step) {
    const count = Math.min(step, rows - from);
    const chunk = DuckDBDataChunk.create(
      names.map((column) => engineTypes[types[column]!]),
      count,
    );
    names.forEach((column, index) => {
      const values = columns[column]!;
      const isBoolean = types[column] === "boolean";
      const vector = chunk.getColumnVector(index);
      const items = isBoolean ? null : vectorItems(vector, column);
      for (let i = 0; i < count; i++) {
        const value = values[from + i]!;
        if (Number.isNaN(value)) vector.setItem(i, null);
        else if (items === null) vector.setItem(i, value !== 0);
        else items[i] = value;
      }
      vector.flush();
    });
    appender.appendDataChunk(chunk);
  }
  appender.closeSync();
  return rows;
}
