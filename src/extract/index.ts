export {
  exportSnapshot,
  type ExportEffects,
  type ExportOptions,
  type ExportProgress,
  type ExportReport,
} from "./export.js";
export type { Organization } from "./project.js";
export { everything, type Selection } from "./selection.js";
export { defaultShrink, type ShrinkLimits } from "./shrink.js";
