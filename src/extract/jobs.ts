import { isIdentifier } from "../contract/index.js";
import { fsp, readText } from "../platform/index.js";
import type { Unit } from "../lake/index.js";
import { fetchBody } from "./fetch.js";
import { makePart } from "./part.js";
import type { ExportRun } from "./run.js";

/** Identifiers of a list of small records. A record without a usable one is left to the conversion to judge. */
export function identifiersIn(text: string): string[] {
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list)) return [];
  return list.flatMap((record: unknown) => {
    const id = typeof record === "object" && record !== null && "id" in record ? record.id : undefined;
    return typeof id === "string" && isIdentifier(id) ? [id] : [];
  });
}

/**
 * Jobs of an experiment. The detail of a job holds what the list leaves out, so each is read by itself;
 * where the service does not offer that, the list is what there is.
 */
export async function readJobs(run: ExportRun, experimentId: string): Promise<Unit[]> {
  const list = await fetchBody(run, { operation: "listJobs", parameters: {}, experimentId });
  if (list.file === null) return [{ ...list.unit, parts: [] }];
  const ids = identifiersIn(await readText(list.file));
  const details = await Promise.all(
    ids.map((job_id) => fetchBody(run, { operation: "getJob", parameters: { job_id }, experimentId, optional: true })),
  );
  const files = details.flatMap(({ file }) => (file === null ? [] : [file]));
  const whole = ids.length === list.unit.elements && files.length === ids.length && ids.length > 0;
  const part = await makePart(run, whole ? { files, form: "record" } : { files: [list.file], form: "list" }, {
    table: "jobs",
    experimentId,
  });
  for (const file of [list.file, ...files]) await fsp.rm(file, { force: true });
  return [{ ...list.unit, parts: [part] }, ...details.map(({ unit }) => ({ ...unit, parts: [] }))];
}
