// What an export reads, in which order, and the shapes of what it expects.
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
import { cached, cachedBy } from "../platform/index.js";

/** What the engine's typed reader takes exactly. */
type FieldKind =
  "text" | "text_or_integer" | "integer" | "number" | "boolean" | "json" | "records" | "never";

export interface FieldShape {
  readonly name: string;
  readonly kind: FieldKind;
  readonly records?: Shape;
  readonly isOrder: boolean;
}

/** Plain data, so that it can be handed to a worker. */
export interface Shape {
  readonly table: TableName;
  readonly fields: readonly FieldShape[];
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

/** Integer columns; rows of one value stay in the order of the service's list. */
const orderColumns: Partial<Record<TableName, string>> = {
  ratings: "slate_id",
  slate_ratings: "slate_id",
  slates: "id",
};

export function tableShape(table: TableName): Shape {
  const own = tableColumns(table).filter(({ name, isAsked }) => name !== "_meta" && !isAsked);
  const fields = own.map(({ name, type, wasInteger }): FieldShape => ({
    name: name === reportedExperimentId ? "experiment_id" : name,
    kind: wasInteger ? "text_or_integer" : fieldKinds[type],
    isOrder: orderColumns[table] === name,
  }));
  const embedded = embeddedIn(table);
  if (embedded === undefined) return { table, fields };
  const records = tableShape(embedded.table);
  return {
    table,
    fields: [...fields, { name: embedded.field, kind: "records", records, isOrder: false }],
  };
}

/** Published numbers also of each source, or only of the whole. */
export type SourceScope = "all" | "whole";

export interface Wanted {
  readonly tables: ReadonlySet<TableName>;
  readonly sources: SourceScope;
}

export interface Resource {
  readonly operation: OperationName;
  readonly tables: readonly TableName[];
  readonly table: LakeTable;
  readonly shape: Shape;
}

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

export function resourcesOf(scope: Scope, wanted: ReadonlySet<TableName>): Resource[] {
  const tables = tableNames.filter((name) => wanted.has(name) && lakeTables[name].scope === scope);
  const operations = [...new Set(tables.map((name) => lakeTables[name].operation))];
  return operations
    .map((operation) => resourceOf(wanted, operation))
    .toSorted((a, b) => Number(b.table.large ?? false) - Number(a.table.large ?? false));
}

/** Always read, since every experiment is found through it. */
export const experimentList = resourceOf(
  new Set([parentTables.experiment]),
  lakeTables[parentTables.experiment].operation,
);

/** Read for each row of another resource; the parameter takes the row's identifier. */
export interface Child {
  readonly resource: Resource;
  readonly parameter: string;
  readonly isSource: boolean;
}

/** Not for experiments, which are selected separately. */
export const childrenOf = cachedBy(
  ({ tables: wanted, sources }: Wanted, { tables }: Resource): Child[] => {
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
  },
);

/** Published numbers first, then the lists whose rows they are asked for, then everything else. */
export const phasesOf = cached((wanted: Wanted): Resource[][] => {
  const resources = resourcesOf("experiment", wanted.tables);
  const hasSources = (one: Resource) => childrenOf(wanted, one).some(({ isSource }) => isSource);
  const published = resources.filter(({ table }) => table.readTwice);
  const sources = resources.filter((one) => !published.includes(one) && hasSources(one));
  return [
    published,
    sources,
    resources.filter((one) => !published.includes(one) && !sources.includes(one)),
  ];
});

/** With the lists that name what theirs are read for. */
export function withParents(wanted: readonly TableName[]): ReadonlySet<TableName> {
  const parents: Partial<Record<Scope, TableName>> = parentTables;
  return new Set(wanted.flatMap((name) => [name, parents[lakeTable(name).scope] ?? name]));
}
