/** Reads what an export takes: the experiments with their lists, and the lists of the project. */
export type { BillingAccount } from "./project.js";
export { readAll } from "./read-all.js";
