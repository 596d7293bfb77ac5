/** Collects what the page shows from a snapshot, its models and its audit. */
export { changesSince } from "./changes.js";
export { gatherReport } from "./gather.js";
export { grouped } from "./rows.js";
export type * from "./report-data.js";
