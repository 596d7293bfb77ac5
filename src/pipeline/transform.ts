import { join } from "node:path";
import { auditLake, type AuditLakeOptions, type AuditReport, type LakeAudit } from "../audit/index.js";
import { isOfExperiment, lakeTable, tableColumns, tableNames } from "../contract/index.js";
import { locateDerived, locateKept, locateScratch, makeDerived, openSnapshot, type Snapshot } from "../lake/index.js";
import { type Conventions, defaultConventions, kinds, metricKind } from "../metrics/index.js";
import { isObject } from "../objects/index.js";
import { exists } from "../platform/index.js";
import {
  addToDatabase,
  checkRows,
  type Cluster,
  type ComputedTable,
  declareModels,
  modelsBehind,
  openOn,
  openWarehouse,
  ordinaryModels,
  readColumns,
  recompute,
  type Recomputed,
  takeFromDatabase,
  text,
  type Warehouse,
  writeModels,
  type WrittenModel,
  type WrittenTable,
} from "../warehouse/index.js";

/** The tables of a snapshot as views of recount.duckdb over its parts; what views need and the snapshot lacks is empty. */
export function lakeViews({ tables }: Snapshot): WrittenTable[] {
  return tableNames.flatMap((name) => {
    const source = tables[name];
    if (source === undefined && !(name in readColumns)) return [];
    const columns = tableColumns(name).map((column) => [column.name, column.description ?? ""]);
    const partition = isOfExperiment(name) ? { experiment_id: "Experiment." } : {};
    const described = { ...partition, ...(Object.fromEntries(columns) as Record<string, string>) };
    return [{ name, description: lakeTable(name).description, columns: described, ...(source && { source }) }];
  });
}

const verdictColumns = {
  experiment_id: ["varchar", "experiment"],
  experiment_name: ["varchar", "name of the experiment"],
  published_in: ["varchar", "list that publishes the number"],
  kind: ["varchar", "metric kind"],
  dimension: ["varchar", "rated dimension; '' if the rating has none"],
  source: ["varchar", "'' for the whole experiment, otherwise a job, or several separated by commas"],
  item: ["varchar", "item"],
  field: ["varchar", "field of the published element"],
  published: ["double", "published number. null: only recomputed"],
  recomputed: ["double", "number under the run's own conventions. null: only published"],
  difference: ["double", "published - recomputed. null: one is missing"],
  tolerance: ["double", "difference that is accepted beyond rounding. null: none is compared"],
  verdict: ["varchar", "verdict, as docs/explanation/audit.md defines it"],
  explanation: ["varchar", "explanation of the result. null: none is needed or found"],
  under_explanation: ["double", "what the explanation gives. null: there is none"],
  remaining: ["double", "published - under_explanation. null: there is no explanation"],
} as const;

const verdictName = "published_vs_recomputed";

/** Makes the table `published_vs_recomputed` of an audit's rows in the warehouse. */
export async function verdictTable(warehouse: Warehouse, { rows }: AuditReport): Promise<WrittenTable> {
  const columns = Object.entries(verdictColumns);
  const types = columns.map(([name, [type]]) => `${name} ${type}`);
  const read = JSON.stringify([Object.fromEntries(columns.map(([name, [type]]) => [name, type]))]);
  await warehouse.change(`create or replace table ${verdictName} (${types.join(", ")})`);
  for (let first = 0; first < rows.length; first += verdictBatch) {
    const some = JSON.stringify(rows.slice(first, first + verdictBatch));
    await warehouse.change(
      `insert into ${verdictName} select unnest(from_json(${text(some)}, ${text(read)}), recursive := true)`,
    );
  }
  return auditedNumbers;
}

const auditedNumbers: WrittenTable = {
  name: verdictName,
  description: "One row: one number of an audit, published or recomputed, with its verdict",
  columns: Object.fromEntries(Object.entries(verdictColumns).map(([name, [, meaning]]) => [name, meaning])),
};

/** Rows in one statement. */
const verdictBatch = 5000;

/** The same table for a query: the snapshot is audited when one reads it. */
function verdictsOnDemand(
  warehouse: Warehouse,
  lake: string,
  { id, projectId }: Snapshot,
  method: AuditLakeOptions,
): ComputedTable {
  const columns = Object.entries(verdictColumns).map(([name, [type]]) => `cast(null as ${type}) as ${name}`);
  return {
    name: verdictName,
    columns: `select ${columns.join(", ")}`,
    async compute() {
      const audited = await auditLake(lake, projectId, { ...method, snapshot: id, models: "audited" });
      audited.warehouse.close();
      await verdictTable(warehouse, audited.report);
    },
  };
}

/** Puts an audit's rows into the snapshot's recount.duckdb, if that is there and on this machine. */
export async function keepVerdicts(lake: string, { snapshot, report }: Pick<LakeAudit, "snapshot" | "report">) {
  const folder = locateDerived(lake, snapshot.projectId, snapshot.id);
  const file = join(folder, "recount.duckdb");
  if (isObject(file) || !(await exists(file))) return;
  const warehouse = await openWarehouse({ sources: {} });
  try {
    const table = await verdictTable(warehouse, report);
    await addToDatabase(warehouse, file, table);
  } finally {
    warehouse.close();
  }
}

export interface TransformOptions {
  readonly snapshot?: string | undefined;
  readonly conventions?: Conventions;
  /** What to compute and write: every model and check (the default), or only the tables of the published kinds. */
  readonly models?: "all" | "published";
  /** Also computes and writes the statistics, which `models: "published"` leaves out. */
  readonly statistics?: boolean;
  /** Takes nothing from what earlier runs computed. */
  readonly isFull?: boolean;
  /** The cluster that makes the long tables; default: none. */
  readonly cluster?: Cluster | null;
}

export interface TransformReport {
  readonly snapshot: Snapshot;
  readonly recomputed: Recomputed;
  readonly written: readonly WrittenModel[];
  /** Folder of the models as Parquet, and of recount.duckdb. */
  readonly dir: string;
}

/** Recomputes the models of sql/ over a snapshot and writes them to the lake. @throws UsageError, ModelError. */
export async function transform(
  lake: string,
  projectId: string,
  {
    snapshot: id,
    conventions = defaultConventions,
    models = "all",
    statistics = false,
    isFull = false,
    cluster,
  }: TransformOptions = {},
): Promise<TransformReport> {
  const snapshot = await openSnapshot(lake, projectId, id);
  const { tables: sources, bytes } = snapshot;
  const warehouse = await openOn({ cluster, sources, bytes, scratch: locateScratch(lake, projectId) });
  try {
    const plan = await ordinaryModels(statistics);
    const published = kinds.map((kind) => metricKind(kind).model);
    const folder = locateKept(lake, projectId);
    const kept = folder === null ? undefined : { folder, isFull };
    const chosenPlan = models === "all" ? plan : modelsBehind(plan, published);
    const { checks = await checkRows(warehouse, sources) } = snapshot.manifest;
    const recomputed = await recompute(warehouse, conventions, chosenPlan, { kept });
    const dir = locateDerived(lake, projectId, snapshot.id);
    const chosen = recomputed.models.filter(({ name }) => models === "all" || published.includes(name));
    // The last audit's verdicts stay: the models are written again, the audit is not.
    const isAudited = await takeFromDatabase(warehouse, join(dir, "recount.duckdb"), verdictName);
    const tables = [...lakeViews(snapshot), ...(isAudited ? [auditedNumbers] : [])];
    const written = await makeDerived(lake, projectId, snapshot.id, (folder) =>
      writeModels(warehouse, { models: chosen }, folder, tables),
    );
    return { snapshot, recomputed: { ...recomputed, checks: [...checks, ...recomputed.checks] }, written, dir };
  } finally {
    warehouse.close();
  }
}

export interface QueryableOptions {
  readonly snapshot?: string | undefined;
  /** How the snapshot is recomputed, and audited when a query reads the verdicts. */
  readonly method?: AuditLakeOptions;
  /** Files that the query's rows are written to. */
  readonly writes?: readonly string[];
  /** Lets the query do whatever the engine can. */
  readonly isUnsafe?: boolean;
}

/**
 * Opens a snapshot for queries: every table of the lake as a view, empty if the snapshot lacks it, and every model, which
 * is computed when a query reads it. Queries read the snapshot's parts and no other file.
 */
export async function openQueryable(
  lake: string,
  projectId: string,
  { snapshot: id, method = {}, writes = [], isUnsafe = false }: QueryableOptions,
): Promise<Warehouse> {
  const snapshot = await openSnapshot(lake, projectId, id);
  const warehouse = await openWarehouse({ sources: snapshot.tables });
  const verdicts = verdictsOnDemand(warehouse, lake, snapshot, method);
  await declareModels(warehouse, method.conventions ?? defaultConventions, [verdicts]);
  const parts = Object.values(snapshot.tables).flatMap(({ files }) => files);
  if (!isUnsafe) await warehouse.confine([...parts, ...writes]);
  return warehouse;
}
