/** Writes a query as an Arrow IPC file. */
import { pipeline } from "node:stream/promises";
import type { DuckDBConnection, DuckDBResult, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import * as arrow from "apache-arrow";
import { Field, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from "apache-arrow";
import { fileMode, fs } from "../../platform/index.js";
import { quoted } from "../parquet.js";
import { DuckDBTypeId as Id } from "./api.js";

/** Memory holds one chunk of the engine. @param shape a result with the query's columns */
export async function writeArrow(
  connection: DuckDBConnection,
  query: string,
  shape: DuckDBResult,
  file: string,
): Promise<void> {
  const names = shape.columnNames();
  const columns = shape.columnTypes().map(arrowColumn);
  const casts = columns.map(
    ({ sql }, i) => `cast(#${i + 1} as ${sql}) as ${quoted(names[i] ?? "")}`,
  );
  const result = await connection.stream(`select ${casts.join(", ")} from ${query}`);
  const fields = columns.map(({ type }, i) => new Field(names[i] ?? "", type, true));
  const schema = new Schema(fields);
  async function* batches(): AsyncGenerator<RecordBatch> {
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      const children = columns.map((column, i) => column.data(chunk.getColumnVector(i).toArray()));
      const data = makeData({
        type: new Struct(fields),
        length: chunk.rowCount,
        nullCount: 0,
        children,
      });
      yield new RecordBatch(schema, data);
    }
  }
  const writer = new RecordBatchFileWriter();
  writer.reset(undefined, schema);
  const written = writer.writeAll(batches()).catch((error: unknown) => {
    writer.abort(error);
    throw error;
  });
  written.catch(() => undefined);
  await pipeline(writer, fs.createWriteStream(file, { mode: fileMode }));
  await written;
}

interface ArrowColumn {
  readonly type: arrow.DataType;
  /** What the query casts the column to. */
  readonly sql: string;
  readonly data: (values: readonly DuckDBValue[]) => arrow.Data;
}

type NumericArray =
  | Int8Array
  | Int16Array
  | Int32Array
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | Float64Array;
type Bigints = BigInt64Array | BigUint64Array;

function bitmap(values: readonly DuckDBValue[], is: (value: DuckDBValue) => boolean): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 64) * 8);
  values.forEach((value, i) => {
    if (is(value)) bits[i >> 3] = bits[i >> 3]! | (1 << (i & 7));
  });
  return bits;
}

function shared(values: readonly DuckDBValue[]) {
  const nullCount = values.reduce<number>((count, value) => count + Number(value === null), 0);
  return {
    length: values.length,
    nullCount,
    nullBitmap: nullCount === 0 ? null : bitmap(values, (v) => v !== null),
  };
}

/** A list's offsets, and the elements of all lists. */
function flattened<T>(
  values: readonly DuckDBValue[],
  itemsOf: (value: DuckDBValue) => readonly T[],
) {
  const valueOffsets = new Int32Array(values.length + 1);
  const items: T[] = [];
  values.forEach((value, i) => {
    if (value !== null) for (const item of itemsOf(value)) items.push(item);
    valueOffsets[i + 1] = items.length;
  });
  return { valueOffsets, items };
}

/** Every type of fixed width is made in the same way, for which its own declaration has no name. */
const makeFixed = arrow.makeData as unknown as (props: object) => arrow.Data;

const fixedWidth = (
  type: arrow.DataType,
  sql: string,
  array: new (length: number) => NumericArray | Bigints,
  of: (value: DuckDBValue) => unknown = (value) => value,
): ArrowColumn => ({
  type,
  sql,
  data: (values) => {
    const data = new array(values.length);
    values.forEach((value, i) => {
      if (value !== null) (data as NumericArray)[i] = of(value) as number;
    });
    return makeFixed({ ...shared(values), type, data });
  },
});

const bytes = (
  type: arrow.Utf8 | arrow.Binary,
  sql: string,
  of: (value: DuckDBValue) => Uint8Array,
): ArrowColumn => ({
  type,
  sql,
  data: (values) => {
    const pieces = values.map((value) => (value === null ? new Uint8Array() : of(value)));
    const valueOffsets = new Int32Array(values.length + 1);
    pieces.forEach((piece, i) => (valueOffsets[i + 1] = valueOffsets[i]! + piece.length));
    return arrow.makeData({
      ...shared(values),
      type: type as arrow.Utf8,
      valueOffsets,
      data: Buffer.concat(pieces),
    });
  },
});

const textColumn = bytes(new arrow.Utf8(), "varchar", (value) => Buffer.from(value as string));

const field = (name: "micros" | "millis" | "seconds" | "nanos" | "days") => (value: DuckDBValue) =>
  (value as unknown as Record<string, bigint>)[name];

const instantColumn = (
  unit: arrow.TimeUnit,
  sql: string,
  name: "micros" | "millis" | "seconds" | "nanos",
  zone?: string,
) => fixedWidth(new arrow.Timestamp(unit, zone ?? null), sql, BigInt64Array, field(name));

const boolean: ArrowColumn = {
  type: new arrow.Bool(),
  sql: "boolean",
  data: (values) =>
    arrow.makeData({
      ...shared(values),
      type: new arrow.Bool(),
      data: bitmap(values, (value) => value === true),
    }),
};

function decimal(width: number, scale: number): ArrowColumn {
  const type = new arrow.Decimal(scale, width, 128);
  return {
    type,
    sql: `decimal(${width}, ${scale})`,
    data: (values) => {
      const words = new BigUint64Array(2 * values.length);
      values.forEach((value, i) => {
        if (value === null) return;
        const whole = (value as { value: bigint }).value;
        words[2 * i] = BigInt.asUintN(64, whole);
        words[2 * i + 1] = BigInt.asUintN(64, whole >> 64n);
      });
      return arrow.makeData({ ...shared(values), type, data: new Uint32Array(words.buffer) });
    },
  };
}

function listColumn(element: ArrowColumn): ArrowColumn {
  const type = new arrow.List(new arrow.Field("item", element.type, true));
  return {
    type,
    sql: `${element.sql}[]`,
    data: (values) => {
      const { valueOffsets, items } = flattened(
        values,
        (value) => (value as { items: readonly DuckDBValue[] }).items,
      );
      return arrow.makeData({ ...shared(values), type, valueOffsets, child: element.data(items) });
    },
  };
}

type MapEntries = readonly { readonly key: DuckDBValue; readonly value: DuckDBValue }[];

function map(key: ArrowColumn, value: ArrowColumn): ArrowColumn {
  const fields = [
    new arrow.Field("key", key.type, false),
    new arrow.Field("value", value.type, true),
  ];
  const entry = new arrow.Struct(fields) as unknown as arrow.Struct<{
    key: arrow.DataType;
    value: arrow.DataType;
  }>;
  const type = new arrow.Map_(new arrow.Field("entries", entry, false));
  return {
    type,
    sql: `map(${key.sql}, ${value.sql})`,
    data: (values) => {
      const { valueOffsets, items } = flattened(
        values,
        (one) => (one as unknown as { entries: MapEntries }).entries,
      );
      const children = [
        key.data(items.map((item) => item.key)),
        value.data(items.map((item) => item.value)),
      ];
      const child = arrow.makeData({ type: entry, length: items.length, nullCount: 0, children });
      return arrow.makeData({ ...shared(values), type, valueOffsets, child });
    },
  };
}

function struct(names: readonly string[], columns: readonly ArrowColumn[]): ArrowColumn {
  const type = new arrow.Struct(
    columns.map((column, i) => new arrow.Field(names[i] ?? "", column.type, true)),
  );
  const entry = (value: DuckDBValue, name: string) =>
    value === null
      ? null
      : ((value as unknown as { entries: Record<string, DuckDBValue> }).entries[name] ?? null);
  return {
    type,
    sql: `struct(${columns.map(({ sql }, i) => `${quoted(names[i] ?? "")} ${sql}`).join(", ")})`,
    data: (values) => {
      const children = columns.map((column, i) =>
        column.data(values.map((value) => entry(value, names[i] ?? ""))),
      );
      return arrow.makeData({ ...shared(values), type, children });
    },
  };
}

const plainColumns = new Map<Id, ArrowColumn>([
  [Id.BOOLEAN, boolean],
  [Id.TINYINT, fixedWidth(new arrow.Int8(), "tinyint", Int8Array)],
  [Id.SMALLINT, fixedWidth(new arrow.Int16(), "smallint", Int16Array)],
  [Id.INTEGER, fixedWidth(new arrow.Int32(), "integer", Int32Array)],
  [Id.BIGINT, fixedWidth(new arrow.Int64(), "bigint", BigInt64Array)],
  [Id.UTINYINT, fixedWidth(new arrow.Uint8(), "utinyint", Uint8Array)],
  [Id.USMALLINT, fixedWidth(new arrow.Uint16(), "usmallint", Uint16Array)],
  [Id.UINTEGER, fixedWidth(new arrow.Uint32(), "uinteger", Uint32Array)],
  [Id.UBIGINT, fixedWidth(new arrow.Uint64(), "ubigint", BigUint64Array)],
  [Id.HUGEINT, decimal(38, 0)],
  [Id.FLOAT, fixedWidth(new arrow.Float32(), "float", Float32Array)],
  [Id.DOUBLE, fixedWidth(new arrow.Float64(), "double", Float64Array)],
  [Id.DATE, fixedWidth(new arrow.DateDay(), "date", Int32Array, field("days"))],
  [Id.TIME, fixedWidth(new arrow.TimeMicrosecond(), "time", BigInt64Array, field("micros"))],
  [Id.TIMESTAMP_S, instantColumn(arrow.TimeUnit.SECOND, "timestamp_s", "seconds")],
  [Id.TIMESTAMP_MS, instantColumn(arrow.TimeUnit.MILLISECOND, "timestamp_ms", "millis")],
  [Id.TIMESTAMP, instantColumn(arrow.TimeUnit.MICROSECOND, "timestamp", "micros")],
  [Id.TIMESTAMP_NS, instantColumn(arrow.TimeUnit.NANOSECOND, "timestamp_ns", "nanos")],
  [Id.TIMESTAMP_TZ, instantColumn(arrow.TimeUnit.MICROSECOND, "timestamptz", "micros", "UTC")],
  [
    Id.BLOB,
    bytes(new arrow.Binary(), "blob", (value) => (value as unknown as { bytes: Uint8Array }).bytes),
  ],
]);

/** A type without a counterpart in Arrow becomes text. */
function arrowColumn(type: DuckDBType): ArrowColumn {
  switch (type.typeId) {
    case Id.DECIMAL:
      return decimal(type.width, type.scale);
    case Id.LIST:
    case Id.ARRAY:
      return listColumn(arrowColumn(type.valueType));
    case Id.MAP:
      return map(arrowColumn(type.keyType), arrowColumn(type.valueType));
    case Id.STRUCT: {
      const { entryNames, entryTypes } = type;
      return struct(entryNames, entryTypes.map(arrowColumn));
    }
    default:
      return plainColumns.get(type.typeId) ?? textColumn;
  }
}
