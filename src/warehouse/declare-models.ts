import type { Conventions } from "../metrics/index.js";
import type { DeclaredTable, Warehouse } from "./engine.js";
import type { Model } from "./models.js";
import { kernelOf, modelsBehind, tableOf } from "./plan.js";
import { modelPlan, recompute } from "./recompute.js";
import { quoted } from "./source-views.js";

/** Lists every model in the engine, and computes one, with what it reads, when a statement reads it. */
export async function declareModels(warehouse: Warehouse, conventions: Conventions): Promise<void> {
  const plan = await modelPlan();
  const made = new Set<string>();
  await warehouse.setConventions(conventions);
  await warehouse.declare(plan.flatMap(declared), async (table) => {
    const missing = modelsBehind(plan, [table]).flatMap((model) => without(made, model) ?? []);
    const names = missing.flatMap(tablesRead);
    for (const name of names) await warehouse.all(`drop view ${quoted(name)}`);
    await recompute(warehouse, conventions, missing);
    names.forEach((name) => made.add(name));
  });
}

const suffixesOf = (model: Model) => (model.kernel === null ? [""] : Object.keys(kernelOf(model).tables));

const tablesRead = (model: Model) =>
  suffixesOf(model)
    .filter((suffix) => !model.unread?.includes(suffix))
    .map((suffix) => tableOf(model, suffix));

/** A model without the tables that are made; null if no other is read. */
function without(made: ReadonlySet<string>, model: Model): Model | null {
  if (!tablesRead(model).some((table) => !made.has(table))) return null;
  return {
    ...model,
    unread: suffixesOf(model).filter((suffix) => model.unread?.includes(suffix) || made.has(tableOf(model, suffix))),
  };
}

function declared(model: Model): DeclaredTable[] {
  if (model.kernel === null) return [{ name: model.name, columns: model.sql }];
  return Object.entries(kernelOf(model).tables).map(([suffix, columns]) => ({ name: tableOf(model, suffix), columns }));
}
