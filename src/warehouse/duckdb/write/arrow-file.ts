import { pipeline } from "node:stream/promises";
import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import { Field, makeData, RecordBatch, RecordBatchFileWriter, Schema, Struct } from "apache-arrow";
import { fileMode, fs } from "../../../platform/index.js";
import { quoted } from "../../source-views.js";
import { arrowColumn } from "./arrow-column.js";

/**
 * Writes a query as an Arrow IPC file, which is also Feather version 2. Memory holds one chunk of the engine.
 * @param shape a result with the query's columns
 */
export async function writeArrow(
  connection: DuckDBConnection,
  query: string,
  shape: DuckDBResult,
  file: string,
): Promise<void> {
  const names = shape.columnNames();
  const columns = shape.columnTypes().map(arrowColumn);
  const casts = columns.map(({ sql }, i) => `cast(#${i + 1} as ${sql}) as ${quoted(names[i] ?? "")}`);
  const result = await connection.stream(`select ${casts.join(", ")} from ${query}`);
  const fields = columns.map(({ type }, i) => new Field(names[i] ?? "", type, true));
  const schema = new Schema(fields);
  async function* batches(): AsyncGenerator<RecordBatch> {
    for (;;) {
      const chunk = await result.fetchChunk();
      if (chunk === null || chunk.rowCount === 0) return;
      const children = columns.map((column, i) => column.data(chunk.getColumnVector(i).toArray()));
      const data = makeData({ type: new Struct(fields), length: chunk.rowCount, nullCount: 0, children });
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
