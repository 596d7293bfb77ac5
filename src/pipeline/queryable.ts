import { openSnapshot } from "../lake/index.js";
import { defaultConventions } from "../metrics/index.js";
import { modelPlan, modelsBehind, openWarehouse, recompute, type Warehouse } from "../warehouse/index.js";
import type { TransformOptions } from "./transform.js";

interface QueryableOptions extends TransformOptions {
  /** Files that the query's rows are written to. */
  readonly writes?: readonly string[];
  /** Lets the query do whatever the engine can. */
  readonly isUnsafe?: boolean;
}

/**
 * Opens a snapshot for `sql`: the lake's tables as views, and the models that the query names with their inputs. A
 * query that lists tables gets every model; a query on ratings alone does not wait for the metrics. The query reads the
 * snapshot's parts and no other file.
 */
export async function openQueryable(
  lake: string,
  projectId: string,
  { snapshot: id, conventions = defaultConventions, writes = [], isUnsafe = false }: QueryableOptions,
  sql: string,
): Promise<Warehouse> {
  const snapshot = await openSnapshot(lake, projectId, id);
  const warehouse = await openWarehouse({ sources: snapshot.tables });
  const words = (sql.toLowerCase().match(/\w+/g) ?? []) as string[];
  const plan = await modelPlan();
  const wanted = words.includes("show") || words.includes("information_schema") ? plan : modelsBehind(plan, words);
  if (wanted.length > 0) await recompute(warehouse, conventions, wanted);
  const parts = Object.values(snapshot.tables).flatMap(({ files }) => files);
  if (!isUnsafe) await warehouse.confine([...parts, ...writes]);
  return warehouse;
}
