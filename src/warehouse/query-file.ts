import { pipeline } from "node:stream/promises";
import { fileMode, fs } from "../platform/index.js";
import { quoted, text } from "./source-views.js";
import { QueryError, type Warehouse } from "./warehouse.js";

export const queryFormats = ["csv", "json", "parquet", "arrow"] as const;
export type QueryFormat = (typeof queryFormats)[number];

const copyOptions: Record<Exclude<QueryFormat, "arrow">, string> = {
  csv: "format csv, header true",
  json: "format json, array true",
  parquet: "format parquet, compression zstd",
};

/** One statement without its closing semicolon, so that it can stand inside another. */
const inner = (sql: string) => sql.trim().replace(/;\s*$/, "");

/** Loads Arrow only here: most commands never write it, and it is slow to load. */
async function writeArrow(warehouse: Warehouse, sql: string, file: string): Promise<void> {
  const { arrowColumn, arrowStream } = await import("./arrow-stream.js");
  const described = await warehouse.connection.prepare(sql);
  const casts = Array.from({ length: described.columnCount }, (_, i) => {
    const { cast } = arrowColumn(described.columnTypeId(i));
    const name = quoted(described.columnName(i));
    return cast === null ? name : `cast(${name} as ${cast}) as ${name}`;
  });
  described.destroySync();
  const result = await warehouse.connection.stream(`select ${casts.join(", ")} from (${inner(sql)})`);
  await pipeline(arrowStream(result), fs.createWriteStream(file, { mode: fileMode }));
}

/** Writes the rows of a query to `file`. Throws `QueryError` with the engine's words. */
export async function writeQuery(warehouse: Warehouse, sql: string, format: QueryFormat, file: string): Promise<void> {
  try {
    if (format === "arrow") await writeArrow(warehouse, sql, file);
    else await warehouse.connection.run(`copy (${inner(sql)}) to ${text(file)} (${copyOptions[format]})`);
  } catch (error) {
    throw new QueryError(sql, error);
  }
}
