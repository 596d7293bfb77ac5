import { pipeline } from "node:stream/promises";
import type { DuckDBConnection } from "@duckdb/node-api";
import { fileMode, fs } from "../../platform/index.js";
import type { QueryFormat } from "../engine.js";
import { quoted, text } from "../source-views.js";

const copyOptions: Record<Exclude<QueryFormat, "arrow">, string> = {
  csv: "format csv, header true",
  json: "format json, array true",
  parquet: "format parquet, compression zstd",
};

/** Writes the rows of one statement to `file`. Arrow is loaded only when asked for, because it loads slowly. */
export async function writeQuery(
  connection: DuckDBConnection,
  sql: string,
  format: QueryFormat,
  file: string,
): Promise<void> {
  const query = `(${sql.trim().replace(/;\s*$/, "")})`;
  if (format !== "arrow") {
    await connection.run(`copy ${query} to ${text(file)} (${copyOptions[format]})`);
    return;
  }
  const { arrowColumn, arrowStream } = await import("./arrow-stream.js");
  const described = await connection.prepare(sql);
  const casts = Array.from({ length: described.columnCount }, (_, i) => {
    const { cast } = arrowColumn(described.columnTypeId(i));
    const name = quoted(described.columnName(i));
    return cast === null ? name : `cast(${name} as ${cast}) as ${name}`;
  });
  described.destroySync();
  const result = await connection.stream(`select ${casts.join(", ")} from ${query}`);
  await pipeline(arrowStream(result), fs.createWriteStream(file, { mode: fileMode }));
}
