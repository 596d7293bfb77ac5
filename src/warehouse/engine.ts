/** What the models and commands ask of a database engine. */
import type { Columns, ColumnVector, Conventions, VectorType } from "../metrics/index.js";
import type { Model } from "./models.js";
import type { TableSource } from "./parquet.js";

/** A class of typed arrays. */
export type VectorKind = (new (buffer: ArrayBufferLike) => ColumnVector) & {
  readonly BYTES_PER_ELEMENT: number;
};

/** The pieces of a column as one, in memory that threads can share. Empties `pieces`. */
export function joinedVectors(pieces: ColumnVector[], kind: VectorKind): ColumnVector {
  const rows = pieces.reduce((sum, { length }) => sum + length, 0);
  const column = new kind(new SharedArrayBuffer(rows * kind.BYTES_PER_ELEMENT));
  let at = 0;
  for (const piece of pieces) {
    column.set(piece, at);
    at += piece.length;
  }
  pieces.length = 0;
  return column;
}

/**
 * A value of a row as plain JavaScript. Integers beyond 2^53 stay bigint; instants are ISO text in
 * UTC.
 */
type Plain =
  null | boolean | number | bigint | string | Uint8Array | Plain[] | { [key: string]: Plain };

export type Row = Record<string, Plain>;

/** A column of a row as text; NULL is empty. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return "";
}

/**
 * The database engine that runs the models. `duckdb/` implements it; `spark/` has a cluster make
 * the long tables.
 */
export interface Engine {
  /**
   * Whether the lake's tables are in hundreds of files, so that reading one twice takes longer than
   * keeping it.
   */
  readonly isInManyFiles?: boolean;
  /**
   * Defines the macros that the models use: `conventions()`, a struct with the keys of the
   * TypeScript type, `last_rank()`, `screening_key()`, `screen_of()`, `finite()`, `sorted_sum()`,
   * `weighted_sum()`, `is_above()`, `rank_of()` and `item_of()`. Throws `UsageError` for an item
   * pattern that is not a regular expression with one capture.
   */
  setConventions(conventions: Conventions): Promise<void>;
  /**
   * Creates or replaces a model's view or table. Returns the number of rows; null for a view, which
   * is not counted.
   */
  createModel(model: Model): Promise<number | null>;
  /**
   * The columns of a query, or of the query of a kernel's model, as typed arrays (integer, tinyint,
   * double), in its order of rows. It must yield no NULL.
   */
  columns(query: string | Model): Promise<Columns>;
  /**
   * Creates or replaces a table of numbers and flags; NaN becomes NULL. Returns the number of rows.
   */
  writeTable(
    name: string,
    types: Readonly<Record<string, VectorType>>,
    columns: Readonly<Record<string, ArrayLike<number>>>,
  ): Promise<number>;
  /**
   * Gives the system back memory that the engine has freed: hundreds of megabytes after a long
   * table.
   */
  release(): Promise<void>;
}

/** Formats of a file of rows. */
export type QueryFormat = "csv" | "json" | "jsonl" | "parquet" | "arrow" | "xlsx";

export interface WriteOptions {
  /** Marks the CSV cells that a spreadsheet would run as formulas. */
  readonly csvSafe?: boolean;
  /** Writes only the first rows. */
  readonly limit?: number | undefined;
}

/** The rows of a query as they come. Memory holds a few thousand at a time. */
export interface RowStream {
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  /**
   * The next `count` rows, each with a value per column; fewer only at the end. Dates and decimals
   * are text.
   */
  take(count: number): Promise<Row[string][][]>;
  /** Reads the rest, or at least `most` rows of it, and returns how many rows that was. */
  skip(most?: number): Promise<number>;
}

type SqlValue = null | boolean | number | bigint | string;

/** A table that is not computed yet. */
export interface DeclaredTable {
  readonly name: string;
  /** A query whose columns are the table's, or their types. */
  readonly columns: string | Readonly<Record<string, VectorType>>;
}

/** The tables that are computed when a statement reads them. */
export interface DeclaredTables {
  /**
   * The tables that the statements of a text can read, each after those that it reads itself; for
   * null, all.
   */
  reachable(sql: string | null): readonly DeclaredTable[];
  compute(table: string): Promise<void>;
}

/** An engine over one snapshot: a view per lake table, and the models once they are computed. */
export interface Warehouse extends Engine {
  /** Runs one or more statements and returns the last one's rows. Throws `QueryError`. */
  all(sql: string, params?: SqlValue[] | Record<string, SqlValue>): Promise<Row[]>;
  /**
   * Runs a statement that writes rows, and returns how many. Throws `QueryError`. Not for SQL that
   * a person wrote.
   */
  change(sql: string): Promise<number>;
  /** The same as a stream, which the next query ends. */
  stream(sql: string): Promise<RowStream>;
  /** Writes a query's rows to `file`. Throws `QueryError`. */
  writeQuery(sql: string, format: QueryFormat, file: string, options?: WriteOptions): Promise<void>;
  /** Adds a function of two texts to SQL; null if one of them is. */
  addFunction(name: string, compute: (a: string, b: string) => string): void;
  /** The same engine, in which these are the lake's tables. Throws `UsageError` as an opening. */
  over(sources: Readonly<Record<string, TableSource>>): Promise<Warehouse>;
  /** Lists tables with their columns that are computed only when a statement reads them. */
  declare(tables: DeclaredTables): Promise<void>;
  /**
   * From now on `all`, `stream` and `writeQuery` open only `files`, load no extension and change no
   * setting: for SQL that a person wrote. Only `writeQuery` writes. Throws `QueryError` for a query
   * that tries more. There is no way back.
   */
  confine(files: readonly string[]): Promise<void>;
  /** Ends the running query, which then fails. */
  interrupt(): void;
  close(): void;
}
