/**
 * The export of a project into a new snapshot of a lake: plan, fetch, convert, publish. It is
 * loaded on the first call.
 */
import { lazily } from "../platform/index.js";
export {
  everything,
  select,
  type BillingAccount,
  type ExportOptions,
  type ExportProgress,
  type ExportReport,
  type Selection,
  type ShrinkLimits,
} from "./options.js";
export type { SourceScope } from "./plan.js";
export type { RowsOptions, RowWriter } from "./export.js";

export const exportSnapshot = lazily(async () => (await import("./export.js")).exportSnapshot);
export const snapshotOfRows = lazily(async () => (await import("./export.js")).snapshotOfRows);
export const createElementsOf = lazily(async () => (await import("./export.js")).createElementsOf);
