export { QueryError } from "./statements.js";
export { openWarehouse, type WarehouseOptions } from "./warehouse.js";
export { addToDatabase, takeFromDatabase, writeModels, type WrittenModel, type WrittenTable } from "./write-models.js";
