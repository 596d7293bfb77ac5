/** Conversion: response bodies become Parquet parts. */
export { converterId, type Bodies } from "./convert.js";
export { convertBodies, makePart, type PartContext } from "./part.js";
export { createSessionPool } from "./session-pool.js";
