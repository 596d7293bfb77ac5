/** What `import … from "recount"` offers (docs/library.md). */
export * from "./library/index.js";
export { ExportError, InterruptedError, RecountError, UsageError } from "./platform/errors.js";
