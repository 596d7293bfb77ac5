/** The parts of DuckDB's client that this folder uses, imported once. */
import type * as Api from "@duckdb/node-api";
import { duckdb } from "../../platform/index.js";

export const {
  BOOLEAN,
  DOUBLE,
  DuckDBDataChunk,
  DuckDBInstance,
  DuckDBScalarFunction,
  DuckDBTypeId,
  INTEGER,
  JSDuckDBValueConverter,
  StatementType,
  VARCHAR,
} = duckdb();
export type DuckDBDataChunk = Api.DuckDBDataChunk;
export type DuckDBScalarFunction = Api.DuckDBScalarFunction;
export type DuckDBTypeId = Api.DuckDBTypeId;
export type StatementType = Api.StatementType;

export const numericTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.HUGEINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.UBIGINT,
  DuckDBTypeId.UHUGEINT,
  DuckDBTypeId.FLOAT,
  DuckDBTypeId.DOUBLE,
  DuckDBTypeId.DECIMAL,
]);
