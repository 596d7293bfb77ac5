export { QueryError } from "./query/query-error.js";
export { openWarehouse } from "./warehouse.js";
export { writeModels, type WrittenModel } from "./write-models.js";
