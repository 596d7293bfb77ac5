/** Reads and runs pipeline files. What needs the engine or the validator is loaded on the first call. */
export { outputNames, outputs, checkOutputs, writeOutputs, type OutputFiles, type OutputName } from "./outputs.js";
export { formatNames, formatOf, queryFormats, type AnswerFormat, type LineFormat } from "./query-formats.js";
export type { Pipeline } from "./schema.js";
export type { Settings } from "./settings.js";

export const readPipeline: typeof import("./read-pipeline.js").readPipeline = async (...args) =>
  (await import("./read-pipeline.js")).readPipeline(...args);

export const settingsOf = async (...args: Parameters<typeof import("./settings.js").settingsOf>) =>
  (await import("./settings.js")).settingsOf(...args);

export const runPipeline: typeof import("./run.js").runPipeline = async (...args) =>
  (await import("./run.js")).runPipeline(...args);

export const openQueryable: typeof import("./queryable.js").openQueryable = async (...args) =>
  (await import("./queryable.js")).openQueryable(...args);

export const transform: typeof import("./transform.js").transform = async (...args) =>
  (await import("./transform.js")).transform(...args);

export const recorded: typeof import("./run-record.js").recorded = async (...args) =>
  (await import("./run-record.js")).recorded(...args);
