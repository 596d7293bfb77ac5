/** What `import … from "recount"` offers (docs/reference/library.md). */
export * from "./library/index.js";
export {
  ExportError,
  InterruptedError,
  QueryError,
  RecountError,
  UsageError,
} from "./platform/errors.js";
