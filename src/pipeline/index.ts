/** Reads and runs pipeline files. What needs the engine or the validator is loaded on the first call. */
export { outputNames, outputs, checkOutputs, writeOutputs, type OutputFiles } from "./outputs.js";
export type { Check } from "./check-project.js";
export type { Display } from "./export-and-audit.js";
export type { Plan } from "./settings.js";
export type { RunContext } from "./run-pipeline.js";
export type { RunEnd } from "./run-pipeline.js";
export type { Pipeline, ProjectPipeline } from "./schema.js";
export type { Settings } from "./settings.js";

export const readPipeline: typeof import("./read-pipeline.js").readPipeline = async (...args) =>
  (await import("./read-pipeline.js")).readPipeline(...args);

export const planOf = async (...args: Parameters<typeof import("./settings.js").planOf>) =>
  (await import("./settings.js")).planOf(...args);

export const pipelineOf = async (...args: Parameters<typeof import("./settings.js").pipelineOf>) =>
  (await import("./settings.js")).pipelineOf(...args);

export const chosenEngine = async (...args: Parameters<typeof import("./settings.js").chosenEngine>) =>
  (await import("./settings.js")).chosenEngine(...args);

export const readEngine: typeof import("./settings.js").readEngine = async (...args) =>
  (await import("./settings.js")).readEngine(...args);

export const runPipeline: typeof import("./run-pipeline.js").runPipeline = async (...args) =>
  (await import("./run-pipeline.js")).runPipeline(...args);

export const checkProject: typeof import("./check-project.js").checkProject = async (...args) =>
  (await import("./check-project.js")).checkProject(...args);

export const openQueryable: typeof import("./transform.js").openQueryable = async (...args) =>
  (await import("./transform.js")).openQueryable(...args);

export const transform: typeof import("./transform.js").transform = async (...args) =>
  (await import("./transform.js")).transform(...args);

export const readMethod: typeof import("./settings.js").readMethod = async (...args) =>
  (await import("./settings.js")).readMethod(...args);
