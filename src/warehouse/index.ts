export type { Column, Columns } from "./columns.js";
export { setConventions } from "./conventions-variable.js";
export { readModels, sqlDir, type Model } from "./models.js";
export type { Plain, Row } from "./plain.js";
export { ModelError, planModels, type PlannedModel } from "./plan.js";
export { modelPlan, recompute, type ModelRun, type Recomputed } from "./recompute.js";
export type { Source } from "./source-views.js";
export { openWarehouse, QueryError, type Warehouse, type WarehouseOptions } from "./warehouse.js";
export { writeModels, type WrittenModel } from "./write-models.js";
