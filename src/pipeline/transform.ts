/** Recomputes a snapshot: as files in the lake, or for queries. */
import { auditOnce, type AuditLakeOptions } from "../audit/index.js";
import {
  batchesOf,
  groupedExperiments,
  inputsOf,
  locateDerived,
  locateKept,
  readSnapshot,
  type Snapshot,
} from "../lake/index.js";
import { columnTypes, type TableName, tableNames } from "../contract/index.js";
import { type Conventions, defaultConventions } from "../metrics/index.js";
import {
  checkRows,
  type Cluster,
  type ComputedTable,
  dataKey,
  declareModels,
  madeTables,
  type ModelChoice,
  modelsOfChoice,
  inBatches,
  type Computation,
  openComputation,
  openWarehouse,
  tablesReadBy,
  type TakenTables,
  takenTables,
  viewOf,
  type Warehouse,
} from "../warehouse/index.js";
import { UsageError } from "../platform/index.js";
import {
  type Derived,
  knownGroups,
  takeDerived,
  verdictColumns,
  verdictName,
  verdictTable,
  writeDerived,
} from "./derived.js";
import { groupsOfSnapshot } from "./groups.js";

/** The snapshot is audited when a query reads the table. */
function verdictsOnDemand(
  warehouse: Warehouse,
  lake: string,
  { id, projectId }: Snapshot,
  method: AuditLakeOptions,
): ComputedTable {
  const columns = Object.entries(verdictColumns).map(
    ([name, [type]]) => `cast(null as ${type}) as ${name}`,
  );
  return {
    name: verdictName,
    columns: `select ${columns.join(", ")}`,
    async compute() {
      const audited = await auditOnce(lake, projectId, {
        ...method,
        snapshot: id,
        models: "audited",
      });
      audited.close();
      await verdictTable(warehouse, audited.report);
    },
  };
}

export interface TransformOptions {
  readonly snapshot?: string | undefined;
  readonly conventions?: Conventions;
  /** Default: what people read, and the checks. */
  readonly models?: ModelChoice;
  /** Also the statistics, which `models: "published"` leaves out. */
  readonly statistics?: boolean;
  /** Takes nothing from what earlier runs computed. */
  readonly isFull?: boolean;
  /** Makes the long tables; default: none. */
  readonly cluster?: Cluster | null;
  readonly together?: number;
  /** Receives a line for each kept result that cannot be used. */
  readonly warn?: (line: string) => void;
}

export interface TransformReport extends Derived {
  readonly snapshot: Snapshot;
}

/**
 * Of the groups of experiments whose data are those of an earlier time, the files are linked.
 * @throws UsageError, ModelError
 */
export async function transform(
  lake: string,
  projectId: string,
  options: TransformOptions = {},
): Promise<TransformReport> {
  const { computed, ...report } = await transformed(lake, projectId, options);
  computed?.warehouse.close();
  return report;
}

/** With the engine, if it holds the models of every experiment. The caller closes it. */
export async function transformed(
  lake: string,
  projectId: string,
  {
    snapshot: id,
    conventions = defaultConventions,
    models = "usual",
    statistics = false,
    isFull = false,
    cluster,
    together,
    warn,
  }: TransformOptions = {},
): Promise<TransformReport & { readonly computed: Computation | null }> {
  const snapshot = await readSnapshot(lake, projectId, id);
  const folder = await locateKept(lake, projectId);
  const kept = folder === null ? null : { folder, isFull, warn };
  const inputs = kept && !cluster ? inputsOf(snapshot) : null;
  const data = inputs && dataKey(inputs, conventions);
  const choice = await modelsOfChoice(conventions, models, statistics);
  const taken =
    kept && data && !isFull ? await takeDerived(lake, snapshot, kept, data, choice.written) : null;
  if (taken !== null) return { snapshot, ...taken, computed: null };
  const before = kept && data ? await madeTables({ folder: kept.folder }) : [];
  const equal = before.find((made) => made.data === data) ?? null;
  const grouped = groupedExperiments(snapshot.manifest);
  let all: Computation | undefined;
  const open = async () =>
    (all ??= await openComputation(lake, snapshot, { conventions, cluster }));
  try {
    const groups =
      equal && !isFull
        ? grouped.map((group, i) => ({ ...group, key: equal.groups[i]?.key ?? "" }))
        : await groupsOfSnapshot(snapshot, await open(), conventions);
    const known =
      kept && inputs
        ? await knownGroups(lake, projectId, kept, groups, choice.written)
        : new Map<string, never>();
    const missing = groups.filter(({ key }) => !known.has(key));
    const { tablesOf, manifest } = snapshot;
    const checks = manifest.checks ?? (await checkRows((await open()).warehouse, snapshot.tables));
    const batches =
      cluster || missing.length === 0
        ? [missing]
        : await batchesOf(missing, (await open()).warehouse, together);
    async function* compute() {
      if (missing.length > 0)
        yield* inBatches(await open(), { groups, batches, tablesOf, conventions });
    }
    const derived = await writeDerived(
      lake,
      snapshot,
      {
        ...choice,
        conventions,
        groups,
        known,
        computations: compute(),
        checks,
      },
      { kept, data, equal },
    );
    const isWhole = batches[0]?.length === groups.length;
    if (!isWhole) all?.warehouse.close();
    return { snapshot, ...derived, computed: isWhole ? (all ?? null) : null };
  } catch (error) {
    all?.warehouse.close();
    throw error;
  }
}

export interface QueryableOptions {
  readonly snapshot?: string | undefined;
  readonly method?: AuditLakeOptions;
  /** The query, if it is known: no file of a table that it does not read is looked for. */
  readonly sql?: string;
  /** Files that the query's rows are written to. */
  readonly writes?: readonly string[];
  /** Lets the query do whatever the engine can. */
  readonly isUnsafe?: boolean;
  readonly warn?: (line: string) => void;
}

/** Functions that read a table by a text, which a query may compute. */
const computedNames = /\b(query(_table)?|pragma_\w+)\b/i;

/** Listed with its columns. */
const unreadTable = (name: TableName): ComputedTable => ({
  name,
  columns: viewOf({ files: [], columns: columnTypes(name) }),
  compute: () =>
    Promise.reject(
      new UsageError(
        `it reads ${name} without naming it. Add a comment with the name: /* ${name} */.`,
      ),
    ),
});

/**
 * Every table of the lake as a view, empty if the snapshot lacks it, and every model, computed when
 * a query reads it. Queries read the snapshot's parts and no other file.
 */
export async function openQueryable(
  lake: string,
  projectId: string,
  { snapshot: id, method = {}, sql, writes = [], isUnsafe = false, warn }: QueryableOptions,
): Promise<Warehouse> {
  const conventions = method.conventions ?? defaultConventions;
  const isNamed = sql !== undefined && !computedNames.test(sql);
  const read = isNamed ? await tablesReadBy(sql, conventions) : tableNames;
  const snapshot = await readSnapshot(lake, projectId, id, read);
  const warehouse = await openWarehouse({ sources: snapshot.tables, isPartial: isNamed });
  const unread = tableNames.filter((name) => !read.includes(name)).map(unreadTable);
  const verdicts = verdictsOnDemand(warehouse, lake, snapshot, method);
  const taken = await takenBy(read, lake, snapshot, conventions, warn);
  await declareModels(warehouse, conventions, [...unread, verdicts], taken);
  const parts = Object.values(snapshot.tables).flatMap(({ files }) => files);
  if (!isUnsafe) await warehouse.confine([...parts, ...[...taken.values()].flat(), ...writes]);
  return warehouse;
}

/** Tables that were computed of equal data. */
async function takenBy(
  names: readonly string[],
  lake: string,
  snapshot: Snapshot,
  conventions: Conventions,
  warn: QueryableOptions["warn"],
): Promise<TakenTables> {
  const { projectId } = snapshot;
  const folder = await locateKept(lake, projectId);
  if (folder === null) return new Map();
  const isWanted = (table: string) => names.includes(table);
  const made = (await madeTables({ folder })).flatMap(({ groups }) => groups);
  if (!made.some(({ files }) => files.some(({ table }) => isWanted(table)))) return new Map();
  const inputs = inputsOf(snapshot);
  if (inputs === null) return new Map();
  const dirOf = (id: string) => locateDerived(lake, projectId, id);
  return takenTables({ folder, warn }, dataKey(inputs, conventions), dirOf, isWanted);
}
