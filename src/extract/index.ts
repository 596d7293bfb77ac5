/** The export of a project into a new snapshot of a lake: plan, fetch, convert, publish. It is loaded on the first call. */
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
export type { RowsOptions, RowWriter } from "./of-rows.js";

export const exportSnapshot: typeof import("./export.js").exportSnapshot = async (...args) =>
  (await import("./export.js")).exportSnapshot(...args);

export const snapshotOfRows: typeof import("./of-rows.js").snapshotOfRows = async (...args) =>
  (await import("./of-rows.js")).snapshotOfRows(...args);

export const createElementsOf = lazily(async () => (await import("./of-rows.js")).createElementsOf);
