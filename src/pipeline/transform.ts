import { locateDerived, openSnapshot, type Snapshot } from "../lake/index.js";
import { defaultConventions, type Conventions } from "../metrics/index.js";
import { openWarehouse, recompute, writeModels, type Recomputed, type WrittenModel } from "../warehouse/index.js";

export interface TransformOptions {
  readonly snapshot?: string | undefined;
  readonly conventions?: Conventions;
}

interface TransformReport {
  readonly snapshot: Snapshot;
  readonly recomputed: Recomputed;
  readonly written: readonly WrittenModel[];
  /** Folder of the models as Parquet, and of recount.duckdb. */
  readonly dir: string;
}

/** Recomputes every model of sql/ over a snapshot and writes them to the lake. @throws UsageError, ModelError. */
export async function transform(
  lake: string,
  projectId: string,
  { snapshot: id, conventions = defaultConventions }: TransformOptions = {},
): Promise<TransformReport> {
  const snapshot = await openSnapshot(lake, projectId, id);
  const warehouse = await openWarehouse({ sources: snapshot.tables });
  try {
    const recomputed = await recompute(warehouse, conventions);
    const dir = locateDerived(lake, projectId, snapshot.id);
    return { snapshot, recomputed, written: await writeModels(warehouse, recomputed, dir), dir };
  } finally {
    warehouse.close();
  }
}
