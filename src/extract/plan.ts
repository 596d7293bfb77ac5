import {
  isSingleRecord,
  lakeTable,
  lakeTables,
  ownParameter,
  parentTables,
  tableNames,
  type LakeTable,
  type OperationName,
  type Scope,
  type TableName,
  embeddedIn,
  reportedExperimentId,
  tableColumns,
  type Column,
} from "../contract/index.js";
import { cachedBy } from "../platform/index.js";

/** What a value must look like, byte by byte, for the engine's typed reader to take it exactly. */
type FieldKind =
  "text" | "text_or_integer" | "integer" | "number" | "boolean" | "json" | "records" | "never";

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

const fieldKinds: Record<Column["type"], FieldKind> = {
  VARCHAR: "text",
  BIGINT: "integer",
  DOUBLE: "number",
  BOOLEAN: "boolean",
  TIMESTAMPTZ: "text",
  JSON: "json",
  "VARCHAR[]": "never",
};

/**
 * Integer columns by which a part is in order; rows of one value stay in the order of the service's
 * list.
 */
const orderColumns: Partial<Record<TableName, string>> = {
  ratings: "slate_id",
  slate_ratings: "slate_id",
  slates: "id",
};

/** The shape of the elements of a list that fills `table`. */
export function tableShape(table: TableName): Shape {
  const own = tableColumns(table).filter(({ name, isAsked }) => name !== "_meta" && !isAsked);
  const fields = own.map(({ name, type, wasInteger }): FieldShape => ({
    name: name === reportedExperimentId ? "experiment_id" : name,
    kind: wasInteger ? "text_or_integer" : fieldKinds[type],
    isOrder: orderColumns[table] === name,
  }));
  const embedded = embeddedIn(table);
  if (embedded === undefined) return { table, fields };
  return {
    table,
    fields: [
      ...fields,
      {
        name: embedded.field,
        kind: "records",
        records: tableShape(embedded.table),
        isOrder: false,
      },
    ],
  };
}

/** Which published numbers are asked for: also those of each source, or only those of the whole. */
export type SourceScope = "all" | "whole";

/** What an export reads. */
export interface Wanted {
  readonly tables: ReadonlySet<TableName>;
  readonly sources: SourceScope;
}

/** One operation to read, and the tables that its response fills. */
export interface Resource {
  readonly operation: OperationName;
  readonly tables: readonly TableName[];
  /** The contract's entry for the first of the tables. */
  readonly table: LakeTable;
  /** The expected elements, or the expected record: bodies are scanned while they arrive. */
  readonly shape: Shape;
}

/** The resource of an operation, for those of an export's wanted tables that it fills. */
export const resourceOf = cachedBy(
  (wanted: ReadonlySet<TableName>, operation: OperationName): Resource => {
    const all = tableNames.filter((name) => lakeTables[name].operation === operation);
    const tables = all.filter((name) => wanted.has(name));
    const main = all[0] as TableName;
    const table = lakeTable(main);
    return {
      operation,
      tables,
      table,
      shape: { ...tableShape(main), isSingle: isSingleRecord(operation) },
    };
  },
);

/** The resources to read in a scope to fill the wanted tables, largest lists first. */
export function resourcesOf(scope: Scope, wanted: ReadonlySet<TableName>): Resource[] {
  const tables = tableNames.filter((name) => wanted.has(name) && lakeTables[name].scope === scope);
  const operations = [...new Set(tables.map((name) => lakeTables[name].operation))];
  return operations
    .map((operation) => resourceOf(wanted, operation))
    .toSorted((a, b) => Number(b.table.large ?? false) - Number(a.table.large ?? false));
}

/** The list of experiments: always read, since every experiment is found through it. */
export const experimentList = resourceOf(
  new Set([parentTables.experiment]),
  lakeTables[parentTables.experiment].operation,
);

/**
 * A resource to read for each row of another one, and the parameter that takes the row's
 * identifier.
 */
export interface Child {
  readonly resource: Resource;
  readonly parameter: string;
  /** True when the request asks for the published numbers of one source. */
  readonly isSource: boolean;
}

/**
 * The resources to read for each row of a resource's tables; not for experiments, which are
 * selected separately.
 */
export function childrenOf(
  { tables }: Pick<Resource, "tables">,
  { tables: wanted, sources }: Wanted,
): Child[] {
  const scoped = Object.entries(parentTables)
    .filter(([, parent]) => parent !== parentTables.experiment && tables.includes(parent))
    .flatMap(([scope]) => resourcesOf(scope as Scope, wanted))
    .map((resource) => ({
      resource,
      parameter: ownParameter(resource.operation),
      isSource: false,
    }));
  const published = tableNames
    .filter((name) => sources === "all" && wanted.has(name))
    .filter((name) => lakeTable(name).sources?.some((source) => tables.includes(source)))
    .map((name) => ({
      resource: resourceOf(wanted, lakeTables[name].operation),
      parameter: "source",
      isSource: true,
    }));
  return [...scoped, ...published];
}

/**
 * The resources of an experiment in the order in which they are read: published numbers first, then
 * the lists whose rows they are asked for, then everything else.
 */
export function phasesOf(wanted: Wanted): Resource[][] {
  const resources = resourcesOf("experiment", wanted.tables);
  const hasSources = (one: Resource) => childrenOf(one, wanted).some(({ isSource }) => isSource);
  const published = resources.filter(({ table }) => table.readTwice);
  const sources = resources.filter((one) => !published.includes(one) && hasSources(one));
  return [
    published,
    sources,
    resources.filter((one) => !published.includes(one) && !sources.includes(one)),
  ];
}

/**
 * The tables to read for those that are wanted: with the lists that name what theirs are read for.
 */
export function withParents(wanted: readonly TableName[]): ReadonlySet<TableName> {
  const parents: Partial<Record<Scope, TableName>> = parentTables;
  return new Set(wanted.flatMap((name) => [name, parents[lakeTable(name).scope] ?? name]));
}
