import type { TableName } from "../contract/index.js";
import type { PartContext } from "./convert/index.js";
import type { FetchContext } from "./fetch/index.js";

/** What every step of one export shares. */
export interface ExportContext extends FetchContext, PartContext {
  /** Tables to export. */
  readonly tables: ReadonlySet<TableName>;
}
