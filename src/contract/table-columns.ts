import { askedColumn, columnsOf, metaColumn, type Column, type ColumnType } from "./columns.js";
import { meaningOf } from "./meanings.js";
import { isOfExperiment, lakeTable, type TableName } from "./tables.js";

/** The name that a record's own `experiment_id` takes where the table is partitioned by experiment. */
export const reportedExperimentId = "reported_experiment_id";

/** Columns of a lake table's Parquet files: the record's, what was asked for, and `_meta` last. The partition column is not in the files. */
export function tableColumns(table: TableName): Column[] {
  const { record, askedAs } = lakeTable(table);
  const own = columnsOf(record).map((column) =>
    isOfExperiment(table) && column.name === "experiment_id" ? { ...column, name: reportedExperimentId } : column,
  );
  const columns = [...own, ...(askedAs === undefined ? [] : [askedColumn(askedAs)]), metaColumn];
  return columns.map((column) => ({ ...column, description: meaningOf(table, column.name, column.description) }));
}

/** The unit that a column's type tells; empty if it tells none. */
export const unitOf = (type: ColumnType): string => (type === "TIMESTAMPTZ" ? "instant, UTC" : "");

type StoredType = Exclude<ColumnType, "JSON">;

/** The type that holds a column's values in Parquet: JSON is text for every reader. */
const storedAs = (type: ColumnType) => (type === "JSON" ? "VARCHAR" : type);

/** Name to DuckDB type of the columns of a table's Parquet files. */
export function partColumns(table: TableName): Record<string, StoredType> {
  return Object.fromEntries(tableColumns(table).map(({ name, type }) => [name, storedAs(type)]));
}

/** Name to DuckDB type of a table's columns, the partition column included. */
export function columnTypes(table: TableName): Record<string, StoredType> {
  const partition = isOfExperiment(table) ? { experiment_id: "VARCHAR" as const } : {};
  return { ...partition, ...partColumns(table) };
}
