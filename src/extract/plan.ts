import {
  lakeTable,
  lakeTables,
  parentTables,
  tableNames,
  type LakeTable,
  type OperationName,
  type Scope,
  type TableName,
} from "../contract/index.js";
import { shapeOf, type Shape } from "./json/index.js";

/** One operation to read, and the tables that its response fills. */
export interface Resource {
  readonly operation: OperationName;
  readonly tables: readonly TableName[];
  /** The contract's entry for the first of the tables. */
  readonly table: LakeTable;
  /** The expected elements, for a list that is scanned while it arrives. */
  readonly shape: Shape | undefined;
}

function resourceOf(operation: OperationName, tables: readonly TableName[]): Resource {
  const main = tableNames.find((name) => lakeTables[name].operation === operation) as TableName;
  const table = lakeTable(main);
  return { operation, tables, table, shape: table.scanned === true ? shapeOf(main) : undefined };
}

/** The resources to read in a scope to fill the wanted tables, largest lists first. */
export function resourcesOf(scope: Scope, wanted: ReadonlySet<TableName>): Resource[] {
  const tables = tableNames.filter((name) => wanted.has(name) && lakeTables[name].scope === scope);
  const operations = [...new Set(tables.map((name) => lakeTables[name].operation))];
  return operations
    .map((one) =>
      resourceOf(
        one,
        tables.filter((name) => lakeTables[name].operation === one),
      ),
    )
    .toSorted((a, b) => Number(b.table.scanned ?? false) - Number(a.table.scanned ?? false));
}

/** The list of experiments: always read, since every experiment is found through it. */
export const experimentList = resourceOf(lakeTables[parentTables.experiment].operation, [parentTables.experiment]);

/** The resources to read for each row of a resource's tables; not for experiments, which are selected separately. */
export function childrenOf({ tables }: Resource, wanted: ReadonlySet<TableName>): Resource[] {
  return Object.entries(parentTables)
    .filter(([, parent]) => parent !== parentTables.experiment && tables.includes(parent))
    .flatMap(([scope]) => resourcesOf(scope as Scope, wanted));
}

/** Whether an experiment is incomplete without this operation. */
export function isRequired(operation: OperationName): boolean {
  return tableNames.some((name) => lakeTables[name].operation === operation && lakeTable(name).optional !== true);
}
