/** Compares published numbers with recomputed ones: rows, verdicts, tolerances and contradictions. */
export type { AuditRow } from "./audit-row.js";
export { contradictionsAmong, type Contradiction } from "./contradictions.js";
export { precisionOfResult, type ResultPrecision } from "./coarseness.js";
export { auditCorrectness, type CorrectnessReport } from "./correctness.js";
export { groupId, noValues, readRecomputed } from "./recomputed.js";
export { compareGroup, notAuditable, obstacle, problemsOf, rankRows, sortRows, synonymRows } from "./rows.js";
export { readUncompared, uncomparedAs } from "./uncompared.js";
export { compare } from "./verdicts.js";
