import { openSnapshot } from "../lake/index.js";
import { defaultConventions } from "../metrics/conventions.js";
import { modelPlan, openWarehouse, recompute, type Warehouse } from "../warehouse/index.js";
import type { TransformOptions } from "./transform.js";

/**
 * A snapshot opened for questions: the lake's tables as views, and the models too where the query speaks of one
 * or lists tables, so that a question about ratings does not wait for the metrics.
 */
export async function openQueryable(
  lake: string,
  projectId: string,
  { snapshot: id, conventions = defaultConventions }: TransformOptions,
  sql: string,
): Promise<Warehouse> {
  const snapshot = await openSnapshot(lake, projectId, id);
  const warehouse = await openWarehouse({ sources: snapshot.tables });
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  const plan = await modelPlan();
  const wanted = plan.some(({ name }) => [...words].some((word) => word === name || word.startsWith(`${name}_`)));
  if (wanted || words.has("show") || words.has("information_schema")) await recompute(warehouse, conventions);
  return warehouse;
}
