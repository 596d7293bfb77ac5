/** The warehouse: models of `sql/` over the tables of a snapshot. */
export type { Columns } from "../metrics/index.js";
export { cellNumbers, digitsAfterPoint } from "./cell-numbers.js";
export {
  addToDatabase,
  databaseName,
  groupFile,
  isWritten,
  modelsOfChoice,
  openWarehouse,
  replaced,
  writeDatabase,
  writeTables,
  type GroupFile,
  type ModelChoice,
  type ShownModel,
  type TableGroup,
  type WrittenTable,
} from "./duckdb/index.js";
export {
  joinedVectors,
  textOf,
  type QueryFormat,
  type Row,
  type VectorKind,
  type Warehouse,
} from "./engine.js";
export { instantSql, inZone } from "./instants.js";
export {
  hasFieldTwice,
  isBroken,
  isNested,
  jsonAt,
  keysIn,
  nestedIn,
  pathsLike,
  textAtPath,
  type JsonPath,
} from "./json.js";
export {
  dataKey,
  isGroupIntact,
  madeOf,
  madeTables,
  noteTables,
  takenTables,
  type MadeGroup,
  type MadeTables,
} from "./kept-tables.js";
export {
  documentedTables,
  headerLine,
  isInternal,
  layers,
  readModels,
  type Model,
} from "./models.js";
export { openComputation, openOn, sparkVersion, withCluster } from "./open-on.js";
export {
  experimentIn,
  partFormat,
  quoted,
  readColumns,
  text,
  type TableSource,
  viewOf,
  zonePattern,
} from "./parquet.js";
export { modelsBehind, planModels, tablesOfModel } from "./plan.js";
export {
  addPseudonyms,
  createPseudonyms,
  pseudonymised,
  pseudonymisedPart,
  type Pseudonyms,
} from "./pseudonyms.js";
export {
  declareModels,
  modelsOnDemand,
  modelPlan,
  ordinaryModels,
  recomputeModels,
  tablesReadBy,
  inBatches,
  sharedModels,
  type Computation,
  type ComputedTable,
  type MakeModels,
  type TakenTables,
  type Recomputed,
} from "./recompute.js";
export { checkRows, checkTables } from "./row-checks.js";
export { scriptOf } from "./script.js";
export {
  sparkAddress,
  type Cluster,
  type ClusterEngine,
  type ClusterTables,
  type ClusterProgress,
  type SparkAddress,
} from "./spark-address.js";
