import type { Conventions } from "../metrics/index.js";
import type { DeclaredTable, Warehouse } from "./engine.js";
import type { Model } from "./models.js";
import { kernelOf, modelsBehind, tableOf, tablesOf } from "./plan.js";
import { modelPlan, recompute } from "./recompute.js";
import { quoted } from "./source-views.js";

/** Lists every model in the engine, and computes one, with what it reads, when a statement reads it. */
export async function declareModels(warehouse: Warehouse, conventions: Conventions): Promise<void> {
  const plan = await modelPlan();
  const computed = new Set<Model>();
  await warehouse.setConventions(conventions);
  await warehouse.declare(plan.flatMap(declared), async (table) => {
    const missing = modelsBehind(plan, [table]).filter((model) => !computed.has(model));
    for (const name of missing.flatMap(tablesOf)) await warehouse.all(`drop view ${quoted(name)}`);
    await recompute(warehouse, conventions, missing);
    missing.forEach((model) => computed.add(model));
  });
}

function declared(model: Model): DeclaredTable[] {
  if (model.kernel === null) return [{ name: model.name, columns: model.sql }];
  return Object.entries(kernelOf(model).tables).map(([suffix, columns]) => ({ name: tableOf(model, suffix), columns }));
}
