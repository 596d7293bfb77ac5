/**
 * Audits published numbers against recomputed ones. What needs the engine or the search is loaded
 * on the first call.
 */
export { auditJson, type AuditReport } from "./tell/report.js";
import { lazily } from "../platform/index.js";
export type { AuditRow } from "./judge/rows.js";

export type { AuditLakeOptions, KeptAudit, LakeAudit } from "./lake.js";

export type { AuditedSnapshot, AuditOptions } from "./audit.js";

export type { AuditSettings } from "./bundle/write.js";

export type { Acceptance } from "./explain/names.js";

export type { Finding } from "./judge/finding.js";
export { describeFindings, findingText, sourceText, type FindingView } from "./tell/describe.js";
export { kinds, type Kind } from "../metrics/index.js";

export { ordinal } from "./tell/named.js";

export type { AuditPart } from "./tell/part.js";
export { resultKey } from "./result.js";
export { scaleAmong, type Scale } from "./compare/scales.js";

export type { RecordShapes, ScoreShapes } from "./read/shapes.js";
export { readTolerances, type Tolerances } from "./compare/tolerances.js";
export { defaultLimits } from "./explain/search.js";

export type { Ignored } from "./judge/rows.js";
export {
  attentionOf,
  auditExitCode,
  countVerdicts,
  exceptVerdicts,
  numbersIn,
  verdicts,
} from "./judge/verdict.js";
export type { Trace, TracePart } from "./tell/trace.js";

export const auditLake = lazily(async () => (await import("./lake.js")).auditLake);

export const auditOnce = lazily(async () => (await import("./lake.js")).auditOnce);

export const conventionProblem = lazily(
  async () => (await import("./explain/names.js")).conventionProblem,
);

export const readItemNames = lazily(
  async () => (await import("./read/item-names.js")).readItemNames,
);

export const readPublished = lazily(
  async () => (await import("./read/read-published.js")).readPublished,
);

export const isUpperEnd = lazily(async () => (await import("./read/scores.js")).isUpperEnd);

export const isKnownField = lazily(async () => (await import("./read/scores.js")).isKnownField);

export const partOfAudit = lazily(async () => (await import("./tell/part.js")).partOfAudit);

export const traceNumbers = lazily(async () => (await import("./tell/trace.js")).traceNumbers);

export const verifyBundle = lazily(async () => (await import("./bundle/verify.js")).verifyBundle);

export const writeBundle = lazily(async () => (await import("./bundle/write.js")).writeBundle);
