/** The export of a project into a new snapshot of a lake: plan, fetch, convert, publish. It is loaded on the first call. */
export type { BillingAccount, ExportOptions, ExportReport } from "./options.js";
export type { SourceScope } from "./plan.js";
export type { ExportProgress } from "./progress.js";
export { everything, select, type Selection } from "./selection.js";
export { defaultShrink, type ShrinkLimits } from "./shrink-guard.js";

export const exportSnapshot: typeof import("./export.js").exportSnapshot = async (...args) =>
  (await import("./export.js")).exportSnapshot(...args);
