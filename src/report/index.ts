export { renderDifference, renderSnapshots } from "./snapshots-table.js";
export { renderRows } from "./rows-table.js";
export { renderChecks, renderTransform, type TransformSummary } from "./transform-table.js";
export { byteText, exportLine, notWholeLine, secondsText, type ExportSummary } from "./export-line.js";
export { renderAudit, type AuditTableOptions } from "./audit-table.js";
export { leaderboardsOf, renderLeaderboards, type LeaderboardTable } from "./leaderboards.js";
export { renderTable, truncated, type ColumnSpec } from "./table.js";
export { verifyText, type VerifySummary } from "./verify-text.js";
export { renderTrace } from "./trace.js";
