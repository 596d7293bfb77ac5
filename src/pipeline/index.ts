/** Reads and runs pipeline files. */
import { lazily } from "../platform/index.js";

/** What needs the engine or the validator is loaded on the first call. */
export { outputNames, outputs, checkOutputs, writeOutputs, type OutputFiles } from "./outputs.js";
export type { Check } from "./check-project.js";
export type { Display, Study, StudyFiles } from "./export-and-audit.js";
export type { Delivery, NoticedRun, NoticeInput, Notifier } from "./notices.js";
export type { RunContext, RunEnd } from "./run-pipeline.js";
export type { Pipeline, ProjectPipeline } from "./schema.js";
export type { Method, Plan, Settings } from "./settings.js";

export const readPipeline = lazily(async () => (await import("./read-pipeline.js")).readPipeline);
export const planOf = lazily(async () => (await import("./settings.js")).planOf);
export const pipelineOf = lazily(async () => (await import("./settings.js")).pipelineOf);
export const chosenEngine = lazily(async () => (await import("./settings.js")).chosenEngine);
export const readEngine = lazily(async () => (await import("./settings.js")).readEngine);
export const runPipeline = lazily(async () => (await import("./run-pipeline.js")).runPipeline);
export const pipelineMetrics = lazily(
  async () => (await import("./run-pipeline.js")).pipelineMetrics,
);
export const checkProject = lazily(async () => (await import("./check-project.js")).checkProject);
export const openQueryable = lazily(async () => (await import("./transform.js")).openQueryable);
export const keepVerdicts = lazily(async () => (await import("./derived.js")).keepVerdicts);
export const transform = lazily(async () => (await import("./transform.js")).transform);
export const readStudy = lazily(async () => (await import("./export-and-audit.js")).readStudy);
export const readMethod = lazily(async () => (await import("./settings.js")).readMethod);
export const withConventions = lazily(async () => (await import("./settings.js")).withConventions);
