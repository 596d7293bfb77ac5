import { openSnapshot } from "../lake/index.js";
import { defaultConventions } from "../metrics/index.js";
import { declareModels, openWarehouse, type Warehouse } from "../warehouse/index.js";
import type { TransformOptions } from "./transform.js";

interface QueryableOptions extends TransformOptions {
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
