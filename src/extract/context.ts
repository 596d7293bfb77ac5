import type { PartContext } from "./convert/index.js";
import type { FetchContext } from "./fetch/index.js";
import type { Wanted } from "./plan.js";

/** State shared by all steps of one export. */
export interface ExportContext extends FetchContext, PartContext, Wanted {
  /** What asked first for the published numbers of a source, by request. */
  readonly owners: Map<string, string>;
}
