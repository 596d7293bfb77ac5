/**
 * Audits published numbers against recomputed ones. What needs the engine or the search is loaded
 * on the first call.
 */
export { auditJson, type AuditReport } from "./report.js";
import { lazily } from "../platform/index.js";
export type { AuditRow } from "./compare.js";
export type { AuditLakeOptions, Computation, LakeAudit } from "./audit-lake.js";
export type { KeptAudit } from "./kept-audit.js";
export type { AuditedSnapshot, AuditOptions } from "./audit-snapshot.js";
export type { AuditSettings } from "./bundle/write.js";
export type { Acceptance, Finding } from "./findings/finding.js";
export {
  describeFindings,
  findingText,
  sourceText,
  type FindingView,
} from "./findings/describe.js";
export { kinds, type Kind } from "../metrics/index.js";
export type { AuditPart } from "./part.js";
export { resultKey } from "./result-key.js";
export { scaleAmong, type Scale } from "./scales.js";
export type { RecordShapes, ScoreShapes } from "./published/shapes.js";
export { defaultLimits, readTolerances, type Ignored, type Tolerances } from "./settings.js";
export {
  attentionOf,
  auditExitCode,
  countVerdicts,
  exceptVerdicts,
  numbersIn,
  verdicts,
} from "./verdict.js";
export type { Trace, TracePart } from "./trace.js";

export const auditLake = lazily(async () => (await import("./audit-lake.js")).auditLake);

export const openComputation = lazily(
  async () => (await import("./audit-lake.js")).openComputation,
);

export const auditOnce = lazily(async () => (await import("./kept-audit.js")).auditOnce);

export const auditSnapshot = lazily(
  async () => (await import("./audit-snapshot.js")).auditSnapshot,
);

export const conventionProblem = lazily(
  async () => (await import("./explain/names.js")).conventionProblem,
);

export const readItemNames = lazily(
  async () => (await import("./published/cells.js")).readItemNames,
);
export const readPublished: typeof import("./published/read-published.js").readPublished = async (
  ...args
) => (await import("./published/read-published.js")).readPublished(...args);

export const isUpperEnd = lazily(async () => (await import("./published/scores.js")).isUpperEnd);
export const isKnownField = lazily(
  async () => (await import("./published/scores.js")).isKnownField,
);

export const partOfAudit = lazily(async () => (await import("./part.js")).partOfAudit);

export const traceNumbers: typeof import("./trace.js").traceNumbers = async (...args) =>
  (await import("./trace.js")).traceNumbers(...args);

export const verifyBundle: typeof import("./bundle/verify.js").verifyBundle = async (...args) =>
  (await import("./bundle/verify.js")).verifyBundle(...args);

export const writeBundle = lazily(async () => (await import("./bundle/write.js")).writeBundle);
