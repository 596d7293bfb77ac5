/** The data checks of rows over the tables of a lake. */
import { defaultConventions } from "../metrics/index.js";
import { openWarehouse, type WarehouseOptions } from "./duckdb/index.js";
import type { Warehouse } from "./engine.js";
import { modelsBehind, rowChecks } from "./plan.js";
import { type CheckResult, modelPlan, recomputeModels } from "./recompute.js";

/** @param sources of the snapshot, of which the engine may have some */
export async function checkRows(
  warehouse: Warehouse,
  sources: WarehouseOptions["sources"],
): Promise<readonly CheckResult[]> {
  const plan = await modelPlan();
  const isRead = (table: string) => (sources[table]?.files.length ?? 0) > 0;
  const names = rowChecks(plan, isRead).map(({ name }) => name);
  return (await recomputeModels(warehouse, defaultConventions, modelsBehind(plan, names))).checks;
}

export async function checkTables(
  options: WarehouseOptions,
  sources = options.sources,
): Promise<readonly CheckResult[]> {
  const warehouse = await openWarehouse(options);
  try {
    return await checkRows(warehouse, sources);
  } finally {
    warehouse.close();
  }
}
