import { tableColumns, type Column, type TableName } from "../../contract/index.js";
import { cachedBy, type Digest } from "../../platform/index.js";
import { partFormat, quoted, type Warehouse } from "../../warehouse/index.js";

/** What all conversions into a table need: making it again for each of thousands takes as long as sending their requests. */
export interface Prepared {
  readonly columns: readonly Column[];
  /** Their names, as a list in SQL. */
  readonly names: string;
  readonly format: string;
  /** The part of an empty list, once there was one: it depends on nothing else. */
  empty?: EmptyPart;
}

export interface EmptyPart {
  readonly bytes: Buffer;
  readonly digest: Digest;
}

/** Of one engine, which serves one export. */
export const preparedFor = cachedBy((_: Warehouse, table: TableName): Prepared => {
  const columns = tableColumns(table);
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  return { columns, names, format: partFormat(table) };
});
