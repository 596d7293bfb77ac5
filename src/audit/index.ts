export { auditJson, type AuditReport, type AuditRow, type CorrectnessReport } from "./audit-report.js";
export { auditSnapshot, type AuditedSnapshot, type AuditOptions } from "./audit-snapshot.js";
export { kinds, type Kind } from "./kinds.js";
export type { ScoreShapes } from "./published-results.js";
export type { ScoreShape } from "./published/shape.js";
export { readTolerances, type StatedTolerances, type Tolerances } from "./tolerances.js";
export { auditExitCode, verdicts, type Verdict } from "./verdicts.js";
