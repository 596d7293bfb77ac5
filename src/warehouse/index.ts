export type { Columns } from "./columns.js";
export type { QueryFormat, Warehouse } from "./engine.js";
export { openWarehouse, QueryError, writeModels, type WrittenModel } from "./duckdb/index.js";
export { readModels, type Model } from "./models.js";
export { modelsBehind, planModels } from "./plan.js";
export { readColumns } from "./read-columns.js";
export { modelPlan, recompute, type Recomputed } from "./recompute.js";
export { textOf, type Row } from "./row.js";
export { quoted, text, type TableSource } from "./source-views.js";
