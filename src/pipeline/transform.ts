import type { AuditReport } from "../audit/index.js";
import { isOfExperiment, lakeTable, tableColumns, tableNames } from "../contract/index.js";
import { locateDerived, locateScratch, makeDerived, openSnapshot, type Snapshot } from "../lake/index.js";
import { type Conventions, defaultConventions, kinds, metricKind } from "../metrics/index.js";
import { fsp, piecesOf, temporaryFile } from "../platform/index.js";
import {
  type Cluster,
  declareModels,
  modelPlan,
  modelsBehind,
  openOn,
  openWarehouse,
  ordinaryModels,
  readColumns,
  recompute,
  type Recomputed,
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

/** Makes the table `published_vs_recomputed` of an audit's rows in the warehouse. */
export async function verdictTable(warehouse: Warehouse, { rows }: AuditReport): Promise<WrittenTable> {
  const columns = Object.entries(verdictColumns);
  const types = columns.map(([name, [type]]) => `${name}: '${type}'`);
  await temporaryFile("recount-verdicts", async (file) => {
    await fsp.writeFile(
      file,
      piecesOf(rows, (some) => some.map((row) => `${JSON.stringify(row)}\n`).join("")),
    );
    await warehouse.all(
      `create or replace table published_vs_recomputed as from read_json(${text(file)}, format = 'newline_delimited', columns = {${types.join(", ")}})`,
    );
  });
  return {
    name: "published_vs_recomputed",
    description: "One row: one number of an audit, published or recomputed, with its verdict",
    columns: Object.fromEntries(columns.map(([name, [, meaning]]) => [name, meaning])),
  };
}

export interface TransformOptions {
  readonly snapshot?: string | undefined;
  readonly conventions?: Conventions;
  /** What to compute and write: every model and check (the default), or only the tables of the published kinds. */
  readonly models?: "all" | "published";
  /** Also computes and writes the statistics, which `models: "published"` leaves out. */
  readonly statistics?: boolean;
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
    cluster,
  }: TransformOptions = {},
): Promise<TransformReport> {
  const snapshot = await openSnapshot(lake, projectId, id);
  const { tables: sources, bytes } = snapshot;
  const warehouse = await openOn({ cluster, sources, bytes, scratch: locateScratch(lake, projectId) });
  try {
    const plan = statistics ? await modelPlan() : await ordinaryModels();
    const published = kinds.map((kind) => metricKind(kind).model);
    const recomputed = await recompute(warehouse, conventions, models === "all" ? plan : modelsBehind(plan, published));
    const dir = locateDerived(lake, projectId, snapshot.id);
    const chosen = recomputed.models.filter(({ name }) => models === "all" || published.includes(name));
    const written = await makeDerived(lake, projectId, snapshot.id, (folder) =>
      writeModels(warehouse, { models: chosen }, folder, lakeViews(snapshot)),
    );
    return { snapshot, recomputed, written, dir };
  } finally {
    warehouse.close();
  }
}

export interface QueryableOptions extends TransformOptions {
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
  { snapshot: id, conventions = defaultConventions, writes = [], isUnsafe = false }: QueryableOptions,
): Promise<Warehouse> {
  const snapshot = await openSnapshot(lake, projectId, id);
  const warehouse = await openWarehouse({ sources: snapshot.tables });
  await declareModels(warehouse, conventions);
  const parts = Object.values(snapshot.tables).flatMap(({ files }) => files);
  if (!isUnsafe) await warehouse.confine([...parts, ...writes]);
  return warehouse;
}
