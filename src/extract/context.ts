import type { PartContext } from "./convert/index.js";
import type { FetchContext } from "./fetch/index.js";
import type { Wanted } from "./plan.js";

/** State shared by all steps of one export. */
export interface ExportContext extends FetchContext, PartContext, Wanted {}
