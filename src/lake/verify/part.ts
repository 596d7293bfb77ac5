import type { DuckDBConnection } from "@duckdb/node-api";
import { letEngineRead } from "../../objects/index.js";
import { duckdb, messageOf } from "../../platform/index.js";
import type { Part, PartColumns } from "../manifest.js";

/** Reads footers of Parquet files. */
export interface FooterReader {
  /** Says where the footer differs from what the manifest states; null if it does not. */
  problem(file: string, part: Part, columns: PartColumns | undefined): Promise<string | null>;
  close(): void;
}

async function columnsOf(connection: DuckDBConnection, path: string): Promise<string[]> {
  const read = await connection.runAndReadAll(
    "select column_name || ' ' || column_type from (describe select * from read_parquet($path, hive_partitioning = false))",
    { path },
  );
  return read.getRows().map(([column]) => String(column));
}

async function rowsOf(connection: DuckDBConnection, path: string): Promise<number> {
  const read = await connection.runAndReadAll(
    "select coalesce(sum(num_rows), 0)::double from parquet_file_metadata($path)",
    { path },
  );
  return Number(read.getRows()[0]?.[0]);
}

/** @param lake whose files are read */
export async function openFooterReader(lake: string): Promise<FooterReader> {
  const instance = await duckdb().DuckDBInstance.create(":memory:", { threads: "1" });
  const connection = await instance.connect();
  await letEngineRead(connection, [lake]);
  return {
    async problem(file, { table, rows }, stated) {
      try {
        const found = await rowsOf(connection, file);
        if (found !== rows) return `its footer counts ${found} rows, the manifest ${rows}`;
        const columns = await columnsOf(connection, file);
        if (stated === undefined) return null;
        const expected = Object.entries(stated).map(
          ([name, type]) => `${name} ${type === "TIMESTAMPTZ" ? "TIMESTAMP WITH TIME ZONE" : type}`,
        );
        const differing = [
          ...expected.filter((c) => !columns.includes(c)),
          ...columns.filter((c) => !expected.includes(c)),
        ];
        return differing.length === 0 ? null : `its columns are not those of ${table}: ${differing.join(", ")}`;
      } catch (error) {
        return `cannot be read as Parquet: ${messageOf(error)}`;
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
