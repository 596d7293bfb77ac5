/** Models on a Spark cluster, over Spark Connect. */
export { clusterVersion } from "./session.js";
export { overSpark } from "./warehouse.js";
