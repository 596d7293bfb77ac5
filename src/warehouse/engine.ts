/** What the models and commands ask of a database engine. */
import type { Columns, ColumnVector, Conventions, VectorType } from "../metrics/index.js";
import type { Model } from "./models.js";
import type { TableSource } from "./parquet.js";

export type VectorKind = (new (buffer: ArrayBufferLike) => ColumnVector) & {
  readonly BYTES_PER_ELEMENT: number;
};

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

/** Integers beyond 2^53 stay bigint; instants are ISO text in UTC. */
type Plain =
  null | boolean | number | bigint | string | Uint8Array | Plain[] | { [key: string]: Plain };

export type Row = Record<string, Plain>;

export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean")
    return String(value);
  return "";
}

export interface Engine {
  /** The lake's tables are in hundreds of files: keep what is read twice. */
  readonly isInManyFiles?: boolean;
  /** Defines `macrosOf`. @throws UsageError for an item pattern without exactly one capture */
  setConventions(conventions: Conventions): Promise<void>;
  /** Creates or replaces a view or table. Returns the number of rows; null for a view. */
  createModel(model: Model): Promise<number | null>;
  /** Typed arrays (integer, tinyint, double) of a query, or of a kernel's input, without NULL. */
  columns(query: string | Model): Promise<Columns>;
  /**
   * Creates or replaces a table of numbers and flags; NaN becomes NULL. Returns the number of rows.
   */
  writeTable(
    name: string,
    types: Readonly<Record<string, VectorType>>,
    columns: Readonly<Record<string, ArrayLike<number>>>,
  ): Promise<number>;
  /** Gives the system back what the engine has freed. */
  release(): Promise<void>;
}

export type QueryFormat = "csv" | "json" | "jsonl" | "parquet" | "arrow";

export interface WriteOptions {
  /** Marks the CSV cells that a spreadsheet would run as formulas. */
  readonly csvSafe?: boolean;
  readonly limit?: number | undefined;
}

export interface RowStream {
  readonly columns: readonly { readonly name: string; readonly isNumber: boolean }[];
  /**
   * The next `count` rows, a value per column; fewer only at the end. Dates and decimals are text.
   */
  take(count: number): Promise<Row[string][][]>;
  /** Reads the rest, or at least `most` rows of it, and returns how many that was. */
  skip(most?: number): Promise<number>;
}

type SqlValue = null | boolean | number | bigint | string;

export interface DeclaredTable {
  readonly name: string;
  readonly columns: string | Readonly<Record<string, VectorType>>;
}

export interface DeclaredTables {
  reachable(sql: string | null): readonly DeclaredTable[];
  compute(table: string): Promise<void>;
}

export interface Warehouse extends Engine {
  /** Returns the rows of the last statement. @throws QueryError */
  all(sql: string, params?: SqlValue[] | Record<string, SqlValue>): Promise<Row[]>;
  /**
   * Returns how many rows a statement writes. Not for SQL that a person wrote.
   * @throws QueryError
   */
  change(sql: string): Promise<number>;
  stream(sql: string): Promise<RowStream>;
  /** @throws QueryError */
  writeQuery(sql: string, format: QueryFormat, file: string, options?: WriteOptions): Promise<void>;
  addFunction(name: string, compute: (a: string, b: string) => string): void;
  /**
   * The same engine over other tables of the lake. It has the tables that were made before the
   * first such change too, and loses those of the change before. Null: over its first ones again.
   * @throws UsageError as an opening
   */
  over(sources: Readonly<Record<string, TableSource>> | null): Promise<Warehouse>;
  declare(tables: DeclaredTables): Promise<void>;
  /**
   * From now on `all`, `stream` and `writeQuery` open only `files`, load no extension and change no
   * setting, and only `writeQuery` writes. There is no way back.
   * @throws QueryError for a query that tries more
   */
  confine(files: readonly string[]): Promise<void>;
  interrupt(): void;
  close(): void;
}
