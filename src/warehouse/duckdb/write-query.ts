import { pipeline } from "node:stream/promises";
import type { DuckDBConnection, DuckDBResult } from "@duckdb/node-api";
import { fileMode, fs } from "../../platform/index.js";
import type { QueryFormat } from "../engine.js";
import { quoted, text } from "../source-views.js";
import { statementsOf } from "./confine.js";
import { safeCells } from "./csv-safe.js";

const copyOptions: Record<Exclude<QueryFormat, "arrow">, string> = {
  csv: "format csv, header true",
  json: "format json, array true",
  parquet: "format parquet, compression zstd",
};

/**
 * Writes the rows of one statement to `file`. `csvSafe` marks the CSV cells that a spreadsheet would run as formulas.
 * Arrow is loaded only when asked for, because it loads slowly.
 */
export async function writeQuery(
  connection: DuckDBConnection,
  sql: string,
  format: QueryFormat,
  file: string,
  { csvSafe = false }: { csvSafe?: boolean } = {},
): Promise<void> {
  // A text that is whole by itself cannot end the statement that it becomes part of.
  await statementsOf(connection, sql);
  const query = `(from (${sql.trim().replace(/;\s*$/, "")}\n))`;
  const shape = (): Promise<DuckDBResult> => connection.run(`from ${query} limit 0`);
  if (format !== "arrow") {
    const rows = format === "csv" && csvSafe ? `(select ${safeCells(await shape())} from ${query})` : query;
    await connection.run(`copy ${rows} to ${text(file)} (${copyOptions[format]}, use_tmp_file false)`);
    return;
  }
  const { arrowColumn, arrowStream } = await import("./arrow-stream.js");
  const described = await shape();
  const casts = described.columnNames().map((column, i) => {
    const { cast } = arrowColumn(described.columnTypeId(i));
    const name = quoted(column);
    return cast === null ? name : `cast(${name} as ${cast}) as ${name}`;
  });
  const result = await connection.stream(`select ${casts.join(", ")} from ${query}`);
  await pipeline(arrowStream(result), fs.createWriteStream(file, { mode: fileMode }));
}
