import type { TableName } from "../contract/index.js";
import type { PartContext } from "./convert/index.js";
import type { FetchContext } from "./fetch/index.js";

/** State shared by all steps of one export. */
export interface ExportContext extends FetchContext, PartContext {
  /** Tables to export. */
  readonly tables: ReadonlySet<TableName>;
}
