/** The warehouse on DuckDB, and the files that it writes. */
export { macrosOf, openWarehouse, type WarehouseOptions } from "./warehouse.js";
export {
  addToDatabase,
  databaseName,
  groupFile,
  isWritten,
  modelsOfChoice,
  replaced,
  writeDatabase,
  writeTables,
  type GroupFile,
  type ModelChoice,
  type ShownModel,
  type TableGroup,
  type WrittenTable,
} from "./write-models.js";
