import type { TableName } from "../contract/index.js";
import type { ExperimentState, ManifestExperiment, Unit } from "../lake/index.js";
import { fsp } from "../platform/index.js";
import type { ExportedExperiment } from "./checkpoint.js";
import type { ExportContext } from "./context.js";
import { convertBodies } from "./convert/index.js";
import { fetchBody } from "./fetch/index.js";
import { isRequired, resourcesOf, type Resource } from "./plan.js";
import { readResource } from "./resource.js";

/** Whether a resource is unchanged since the first read, by its body or, if only the order changed, its sorted part. */
async function isUnchanged(
  context: ExportContext,
  { operation, table, tables }: Resource,
  experimentId: string,
  earlier: Unit | undefined,
): Promise<boolean> {
  const request = { operation, experimentId, parameters: table.parameters, optional: table.optional, earlier };
  const { unit, body } = await fetchBody(context, request);
  const isSame = unit.body?.sha256 === earlier?.body?.sha256;
  if (body === null) return isSame;
  try {
    if (isSame) return true;
    for (const [i, name] of tables.entries()) {
      const { file, sha256 } = await convertBodies(context, name, { files: [body.file], form: "list" });
      await fsp.rm(file, { force: true });
      if (sha256 !== earlier?.parts[i]?.sha256) return false;
    }
    return true;
  } finally {
    await fsp.rm(body.file, { force: true });
  }
}

async function readOnce(context: ExportContext, experimentId: string): Promise<{ units: Unit[]; isSettled: boolean }> {
  const resources = resourcesOf("experiment", context.tables);
  const published = resources.filter(({ table }) => table.readTwice);
  const others = resources.filter(({ table }) => !table.readTwice);
  const read = (some: readonly Resource[]) =>
    Promise.all(some.map((resource) => readResource(context, resource, { experimentId })));
  const first = await read(published);
  const rest = await read(others);
  const again = await Promise.all(
    published.map((resource, i) => isUnchanged(context, resource, experimentId, first[i]?.[0])),
  );
  return { units: [...first, ...rest].flat(), isSettled: again.every(Boolean) };
}

/** Elements that became rows of a table or were quarantined; null if the table was not read. */
function elementsOf(table: TableName, units: readonly Unit[]): number | null {
  const parts = units.flatMap((unit) => unit.parts).filter((part) => part.table === table);
  return parts.length === 0 ? null : parts.reduce((sum, { rows, quarantined }) => sum + rows + quarantined, 0);
}

function stateOf(units: readonly Unit[], isSettled: boolean): { state: ExperimentState; reason: string | null } {
  if (!isSettled) return { state: "torn", reason: "its results changed twice while it was read" };
  const missing = units.filter(({ state, operation }) => state !== "complete" && isRequired(operation));
  const [listed, inSlates] = [elementsOf("ratings", units), elementsOf("slate_ratings", units)];
  const reasons = [
    ...(missing.length > 0
      ? [`not permitted for this key: ${missing.map(({ operation }) => operation).join(", ")}`]
      : []),
    ...(listed !== null && inSlates !== null && inSlates > listed
      ? [`its slates hold ${inSlates} ratings, but the list of ratings ${listed}`]
      : []),
  ];
  if (reasons.length === 0) return { state: "complete", reason: null };
  return { state: "incomplete", reason: reasons.join("; ") };
}

/**
 * Reads one experiment, with its published results before and after everything else. If they changed, they may not
 * belong to the ratings: the experiment is read once more and, if they changed again, marked as torn.
 */
export async function readExperiment(
  context: ExportContext,
  { id, name, type }: Pick<ManifestExperiment, "id" | "name" | "type">,
): Promise<ExportedExperiment> {
  let read = await readOnce(context, id);
  if (!read.isSettled) {
    context.log.warn(`${name} (${id}): its results changed while it was read; reading it again.`);
    read = await readOnce(context, id);
  }
  return { experiment: { id, name, type, ...stateOf(read.units, read.isSettled) }, units: read.units };
}
