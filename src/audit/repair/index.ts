export { findRepair } from "./find-repair.js";
export type { Repair } from "./repair.js";
