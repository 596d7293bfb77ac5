import { tableColumns, type Column, type TableName } from "../../contract/index.js";
import type { Digest } from "../../platform/index.js";
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

const known = new WeakMap<Warehouse, Map<TableName, Prepared>>();

/** Of one engine, which serves one export. */
export function preparedFor(warehouse: Warehouse, table: TableName): Prepared {
  const tables = known.get(warehouse) ?? new Map<TableName, Prepared>();
  known.set(warehouse, tables);
  const found = tables.get(table);
  if (found !== undefined) return found;
  const columns = tableColumns(table);
  const names = columns.map(({ name }) => quoted(name)).join(", ");
  const made: Prepared = { columns, names, format: partFormat(table) };
  tables.set(table, made);
  return made;
}
