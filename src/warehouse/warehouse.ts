import { DuckDBInstance, type DuckDBConnection, type DuckDBValue } from "@duckdb/node-api";
import { exitCodes, messageOf, UsageError, type ExitCode } from "../platform/index.js";
import { type Columns, readColumnsOf } from "./columns.js";
import { plainRow, type Row } from "./plain.js";
import { createSourceViews, type Source } from "./source-views.js";

/** A DuckDB session over one snapshot: a view per lake table, and the models once they are computed. */
export interface Warehouse {
  readonly connection: DuckDBConnection;
  /** Runs one or several statements and returns the last one's rows. Throws `QueryError`. */
  all(sql: string, params?: DuckDBValue[] | Record<string, DuckDBValue>): Promise<Row[]>;
  /** The query's columns as typed arrays (integer, tinyint, double), its NULLs coalesced by itself. Throws `QueryError`. */
  columns(sql: string, params?: DuckDBValue[] | Record<string, DuckDBValue>): Promise<Columns>;
  close(): void;
}

export interface WarehouseOptions {
  readonly sources: Readonly<Record<string, Source>>;
  /** Threads of the engine; by default as many as it likes. No result depends on it. */
  readonly threads?: number;
  /** Memory limit as DuckDB writes it, `4GB` for example. */
  readonly memory?: string;
}

/** The engine could not write all of a file: the disk is full or fails. */
const isDisk = (cause: unknown) =>
  /IO Error: Could not (write|fsync|truncate)|No space left on device/i.test(messageOf(cause));

/** SQL that the engine refused, or whose result it could not write; the message carries the engine's words, `sql` the text. */
export class QueryError extends UsageError {
  readonly sql: string;
  override readonly exitCode: ExitCode;
  constructor(sql: string, cause: unknown) {
    super(`The query failed: ${messageOf(cause)}`, { cause });
    this.exitCode = isDisk(cause) ? exitCodes.export : exitCodes.usage;
    this.sql = sql;
  }
}

export async function openWarehouse({ sources, threads, memory }: WarehouseOptions): Promise<Warehouse> {
  const instance = await DuckDBInstance.create(":memory:", {
    ...(threads === undefined ? {} : { threads: String(threads) }),
    ...(memory === undefined ? {} : { memory_limit: memory }),
  });
  const connection = await instance.connect();
  const warehouse: Warehouse = {
    connection,
    async all(sql, params) {
      try {
        const reader = await connection.runAndReadAll(sql, params);
        return reader.getRowObjectsJS().map(plainRow);
      } catch (error) {
        throw new QueryError(sql, error);
      }
    },
    async columns(sql, params) {
      try {
        return (await readColumnsOf(connection, sql, params)).columns;
      } catch (error) {
        throw new QueryError(sql, error);
      }
    },
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
  await connection.run("set timezone = 'UTC'");
  await createSourceViews(connection, sources);
  return warehouse;
}
