import { DuckDBInstance, type JS } from "@duckdb/node-api";
import { messageOf, systemCodeOf, UsageError } from "../../platform/index.js";
import type { Warehouse } from "../engine.js";
import type { Row } from "../row.js";
import { createSourceViews, quoted, type TableSource } from "../source-views.js";
import { readColumnsOf, writeTable } from "./columns.js";
import { confine, refuseLogging, refuseOutside, runStatements } from "./confine.js";
import { setConventions } from "./conventions.js";
import { QueryError } from "./query-error.js";
import { writeQuery } from "./write-query.js";

interface WarehouseOptions {
  /** The lake's tables by name; a table that the models read and that is missing here is empty. */
  readonly sources: Readonly<Record<string, TableSource>>;
  /** Threads of the engine; by default one per core. No result depends on it. */
  readonly threads?: number;
  /** Memory limit as DuckDB writes it, `4GB` for example. */
  readonly memory?: string;
}

/** Opens DuckDB in memory over the Parquet files of a snapshot. */
export async function openWarehouse({ sources, threads, memory }: WarehouseOptions): Promise<Warehouse> {
  const instance = await DuckDBInstance.create(":memory:", {
    ...(threads === undefined ? {} : { threads: String(threads) }),
    ...(memory === undefined ? {} : { memory_limit: memory }),
  });
  const connection = await instance.connect();
  await connection.run("set timezone = 'UTC'");
  await createSourceViews(connection, sources).catch((error: unknown) => {
    instance.closeSync();
    // The system's refusals are not corruption: they pass as they are.
    if (!["EIO", undefined].includes(systemCodeOf(error))) throw error;
    const [first = ""] = messageOf(error).split("\n");
    throw new UsageError(`The snapshot cannot be read: ${first}. Run \`recount verify\`.`, { cause: error });
  });
  const asQuery = <T>(sql: string, result: Promise<T>): Promise<T> =>
    result.catch((error: unknown) => {
      throw new QueryError(sql, error);
    });
  let isConfined = false;
  async function run(sql: string, params: Parameters<Warehouse["all"]>[1]) {
    if (!isConfined) return connection.runAndReadAll(sql, params);
    refuseLogging(sql);
    return runStatements(connection, sql, refuseOutside);
  }
  const write: Warehouse["writeQuery"] = async (sql, format, file, options) => {
    if (isConfined) refuseLogging(sql);
    await writeQuery(connection, sql, format, file, options);
  };
  return {
    async confine(files) {
      await confine(connection, files);
      isConfined = true;
    },
    setConventions: (conventions) => setConventions(connection, conventions),
    async createModel(name, stored, sql) {
      const made = await connection.runAndReadAll(`create or replace ${stored} ${quoted(name)} as ${sql}`);
      return stored === "view" ? null : Number(made.value(0, 0));
    },
    columns: (sql) => asQuery(sql, readColumnsOf(connection, sql)),
    writeTable: (name, types, columns) => writeTable(connection, name, types, columns),
    async all(sql, params) {
      const reader = await asQuery(sql, run(sql, params));
      return reader.getRowObjectsJS().map((row) => plain(row) as Row);
    },
    writeQuery: (sql, format, file, options) => asQuery(sql, write(sql, format, file, options)),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

function plain(value: JS): Row[string] {
  if (typeof value === "bigint") {
    return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plain(field)]));
}
