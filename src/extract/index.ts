/** The export of a project into a new snapshot of a lake: plan, fetch, convert, publish. */
export { exportSnapshot, type ExportOptions, type ExportReport } from "./export.js";
export type { SourceScope } from "./plan.js";
export type { ExportProgress } from "./progress.js";
export type { BillingAccount } from "./project.js";
export { everything, select, type Selection } from "./selection.js";
export { defaultShrink, type ShrinkLimits } from "./shrink-guard.js";
