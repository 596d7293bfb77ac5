import { embeddedIn, reportedExperimentId, tableColumns, type Column, type TableName } from "../../contract/index.js";

/** What a value must look like, byte by byte, for the engine's typed reader to take it exactly. */
type FieldKind = "text" | "text_or_integer" | "integer" | "number" | "boolean" | "json" | "records" | "never";

export interface FieldShape {
  readonly name: string;
  readonly kind: FieldKind;
  /** The shape of the elements, for `records`. */
  readonly records?: Shape;
  /** True for the integer by which the part is in order. */
  readonly isOrder: boolean;
}

/** The fields that a record may have; plain data, so that it can be handed to a worker. */
export interface Shape {
  readonly table: TableName;
  readonly fields: readonly FieldShape[];
  /** True for the shape of a single record, which is the whole body. */
  readonly isSingle?: boolean;
}

const kinds: Record<Column["type"], FieldKind> = {
  VARCHAR: "text",
  BIGINT: "integer",
  DOUBLE: "number",
  BOOLEAN: "boolean",
  TIMESTAMPTZ: "text",
  JSON: "json",
  "VARCHAR[]": "never",
};

/** Integer columns by which a part is in order; rows of one value stay in the order of the service's list. */
const orderColumns: Partial<Record<TableName, string>> = {
  ratings: "slate_id",
  slate_ratings: "slate_id",
  slates: "id",
};

/** The shape of the elements of a list that fills `table`. */
export function shapeOf(table: TableName): Shape {
  const own = tableColumns(table).filter(({ name, isAsked }) => name !== "_meta" && !isAsked);
  const fields = own.map(({ name, type, wasInteger }): FieldShape => ({
    name: name === reportedExperimentId ? "experiment_id" : name,
    kind: wasInteger ? "text_or_integer" : kinds[type],
    isOrder: orderColumns[table] === name,
  }));
  const embedded = embeddedIn(table);
  if (embedded === undefined) return { table, fields };
  return {
    table,
    fields: [...fields, { name: embedded.field, kind: "records", records: shapeOf(embedded.table), isOrder: false }],
  };
}
