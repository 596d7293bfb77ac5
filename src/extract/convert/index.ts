/** Conversion: response bodies become Parquet parts. */
export { converterId } from "./convert.js";
export type { Bodies } from "./judge.js";
export { convertBodies, makePart, type PartContext } from "./part.js";
export { createSessionPool } from "./session-pool.js";
