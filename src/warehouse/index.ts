export type { Columns } from "../metrics/index.js";
export {
  addToDatabase,
  openWarehouse,
  QueryError,
  takeFromDatabase,
  writeModels,
  type WrittenModel,
  type WrittenTable,
} from "./duckdb/index.js";
export { textOf, type QueryFormat, type Row, type Warehouse } from "./engine.js";
export type { KeptFolder } from "./kept-results.js";
export { documentedTables, headerLine, isInternal, readModels, type Model } from "./models.js";
export { openOn, sparkVersion, withCluster } from "./open-on.js";
export { partFormat, quoted, readColumns, text, type TableSource, viewOf } from "./parquet.js";
export { modelsBehind, planModels } from "./plan.js";
export { addPseudonyms, createPseudonyms, pseudonymised, pseudonymisedPart, type Pseudonyms } from "./pseudonyms.js";
export {
  declareModels,
  modelPlan,
  ordinaryModels,
  recompute,
  type ComputedTable,
  type RecomputeOptions,
  type Recomputed,
} from "./recompute.js";
export { checkRows, checkTables } from "./row-checks.js";
export { sparkAddress, type Cluster, type ClusterProgress, type SparkAddress } from "./spark-address.js";
