export { clusterVersion } from "./session.js";
export { overSpark } from "./warehouse.js";
