import { locateDerived, locateScratch, makeDerived, openSnapshot, type Snapshot } from "../lake/index.js";
import { defaultConventions, kinds, type Conventions } from "../metrics/index.js";
import {
  modelPlan,
  modelsBehind,
  openOn,
  recompute,
  writeModels,
  type Cluster,
  type Recomputed,
  type WrittenModel,
} from "../warehouse/index.js";
import { lakeViews } from "./database.js";

export interface TransformOptions {
  readonly snapshot?: string | undefined;
  readonly conventions?: Conventions;
  /** What to compute and write: every model and check (the default), or only the tables of the published kinds. */
  readonly models?: "all" | "published";
  /** The cluster that makes the long tables; default: none. */
  readonly cluster?: Cluster | null;
}

interface TransformReport {
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
  { snapshot: id, conventions = defaultConventions, models = "all", cluster }: TransformOptions = {},
): Promise<TransformReport> {
  const snapshot = await openSnapshot(lake, projectId, id);
  const { tables: sources, bytes } = snapshot;
  const warehouse = await openOn({ cluster, sources, bytes, scratch: locateScratch(lake, projectId) });
  try {
    const plan = await modelPlan();
    const published = kinds.map((kind) => `metric_${kind}`);
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
