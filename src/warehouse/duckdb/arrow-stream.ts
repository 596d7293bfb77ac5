import { DuckDBTypeId, type DuckDBValue, type DuckDBResult } from "@duckdb/node-api";
import {
  Bool,
  Data,
  Field,
  Float64,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
  vectorFromArray,
  type DataType,
} from "apache-arrow";

interface ArrowColumn {
  type: DataType;
  /** The type to build with where it differs: Arrow's timestamp builder takes milliseconds and drops the rest. */
  build?: DataType;
  /** The cast that the query applies first; null for none. */
  cast: string | null;
  convert: (value: DuckDBValue) => unknown;
}

const same = (value: DuckDBValue) => value;
const micros = (value: DuckDBValue) => (value as { micros: bigint } | null)?.micros ?? null;
const asText: ArrowColumn = { type: new Utf8(), cast: "varchar", convert: same };
const asInt: ArrowColumn = { type: new Int32(), cast: "integer", convert: same };
const asBig: ArrowColumn = { type: new Int64(), cast: "bigint", convert: same };
const asDouble: ArrowColumn = { type: new Float64(), cast: "double", convert: same };

const byType = new Map<DuckDBTypeId, ArrowColumn>([
  [DuckDBTypeId.BOOLEAN, { type: new Bool(), cast: null, convert: same }],
  [DuckDBTypeId.TINYINT, asInt],
  [DuckDBTypeId.SMALLINT, asInt],
  [DuckDBTypeId.INTEGER, asInt],
  [DuckDBTypeId.UTINYINT, asInt],
  [DuckDBTypeId.USMALLINT, asInt],
  [DuckDBTypeId.UINTEGER, asBig],
  [DuckDBTypeId.BIGINT, asBig],
  [DuckDBTypeId.FLOAT, asDouble],
  [DuckDBTypeId.DOUBLE, asDouble],
  [DuckDBTypeId.TIMESTAMP, { type: new TimestampMicrosecond(null), build: new Int64(), cast: null, convert: micros }],
  [
    DuckDBTypeId.TIMESTAMP_TZ,
    { type: new TimestampMicrosecond("UTC"), build: new Int64(), cast: null, convert: micros },
  ],
]);

/** The Arrow column for a DuckDB type. Types without a plain counterpart become text. */
export function arrowColumn(type: DuckDBTypeId): ArrowColumn {
  return byType.get(type) ?? asText;
}

function dataOf({ type, build = type, convert }: ArrowColumn, values: readonly DuckDBValue[]): Data {
  const [built] = vectorFromArray(values.map(convert), build).data;
  if (built === undefined) return makeData({ type, length: 0 });
  return build === type ? built : new Data(type, 0, built.length, built.nullCount, built.buffers);
}

/** The result as an Arrow IPC stream, a chunk at a time. Memory holds one chunk. */
export async function* arrowStream(result: DuckDBResult): AsyncGenerator<Uint8Array> {
  const columns = result.columnTypes().map(({ typeId }) => arrowColumn(typeId));
  const fields = result.columnNames().map((name, i) => new Field(name, columns[i]?.type ?? new Utf8(), true));
  const schema = new Schema(fields);
  async function* batches(): AsyncGenerator<RecordBatch> {
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      const children = columns.map((column, i) => dataOf(column, chunk.getColumnVector(i).toArray()));
      const data = makeData({ type: new Struct(fields), length: chunk.rowCount, nullCount: 0, children });
      yield new RecordBatch(schema, data);
    }
  }
  const writer = new RecordBatchStreamWriter();
  writer.reset(undefined, schema);
  const written = writer.writeAll(batches()).catch((error: unknown) => {
    writer.abort(error);
    throw error;
  });
  written.catch(() => undefined);
  for await (const bytes of writer) yield bytes;
  await written;
}
