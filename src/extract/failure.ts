import { codeOf, ExportError, messageOf, RecountError } from "../platform/index.js";
import { QueryError } from "../warehouse/index.js";

/** What ended an export, as its user should read it: a full disk or a folder that cannot be written is no fault of Recount's. */
export function exportFailure(error: unknown, project: string): unknown {
  const isDisk = !(error instanceof RecountError) && /^E[A-Z]+$/.test(codeOf(error) ?? "");
  if (!isDisk && !(error instanceof QueryError)) return error;
  return new ExportError(`${project}: nothing was published: ${messageOf(error)}`, { cause: error });
}
