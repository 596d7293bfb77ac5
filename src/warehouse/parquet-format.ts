import { lakeTable, tableColumns, unitOf, type TableName } from "../contract/index.js";
import { text } from "./source-views.js";

/** What a column is, as far as somebody says it. */
interface Meaning {
  readonly meaning: string;
  readonly unit?: string;
  /** What null means. */
  readonly nulls?: string;
}

/** The key under which a Parquet file of Recount describes its columns. The engine writes no metadata of a single column. */
const columnsKey = "recount.columns";

/** Options of `copy … to` for a Parquet file that says what it holds. */
export function parquetFormat(description: string, columns: Readonly<Record<string, Meaning>>): string {
  const given = (meaning: Meaning) => Object.fromEntries(Object.entries(meaning).filter(([, said]) => said !== ""));
  const about = {
    description,
    columns: Object.fromEntries(Object.entries(columns).map(([name, one]) => [name, given(one)])),
  };
  return `format parquet, compression zstd, kv_metadata {${text(columnsKey)}: ${text(JSON.stringify(about))}}`;
}

/** The same for a part of a lake's table. */
export function partFormat(table: TableName): string {
  const columns = tableColumns(table).map(({ name, type, description = "" }) => [
    name,
    { meaning: description, unit: unitOf(type) },
  ]);
  return parquetFormat(lakeTable(table).description, Object.fromEntries(columns) as Record<string, Meaning>);
}
