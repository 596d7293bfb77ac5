import { columnTypes, type TableName } from "../contract/index.js";

/** Lake tables that sql/staging reads. */
const readTables = [
  "experiments",
  "jobs",
  "ratings",
  "slate_ratings",
  "slates",
  "sessions",
  "results",
  "metrics",
  "rubrics",
  "leaderboards",
] as const satisfies readonly TableName[];

/** Column name to DuckDB type of each table that sql/staging reads: missing tables and columns are empty. */
export const readColumns: Readonly<Record<string, Readonly<Record<string, string>>>> = Object.fromEntries(
  readTables.map((table) => [table, columnTypes(table)]),
);
