import { isRequired, type TableName } from "../../contract/index.js";
import type { ExperimentState, ManifestExperiment, Unit } from "../../lake/index.js";
import { traced } from "../../platform/index.js";
import type { ExportedExperiment } from "../checkpoint.js";
import type { ExportContext } from "../context.js";
import { phasesOf } from "../plan.js";
import { changedSince, discard } from "./read-twice.js";
import { readResource } from "./resource.js";

/**
 * @param published lists of published numbers of the project, read whole
 */
async function readOnce(
  context: ExportContext,
  experimentId: string,
  published: readonly Unit[],
): Promise<{ units: Unit[]; isSettled: boolean }> {
  const units: Unit[] = [];
  for (const phase of phasesOf(context)) {
    const before = [...published, ...units];
    const read = phase.map((resource) =>
      traced(`read ${resource.operation}`, {}, () =>
        readResource(context, resource, { experimentId, published: before }),
      ),
    );
    units.push(...(await Promise.all(read)).flat());
  }
  const changed = await changedSince(context, units, [...published, ...units]);
  return { units, isSettled: changed.size === 0 };
}

/** Elements that became rows of a table or were quarantined; null if the table was not read. */
function elementsOf(table: TableName, units: readonly Unit[]): number | null {
  const parts = units.flatMap((unit) => unit.parts).filter((part) => part.table === table);
  return parts.length === 0 ? null : parts.reduce((sum, { rows, quarantined }) => sum + rows + quarantined, 0);
}

function stateOf(units: readonly Unit[], isSettled: boolean): { state: ExperimentState; reason: string | null } {
  if (!isSettled) return { state: "torn", reason: "its results changed twice while it was read" };
  const missing = units.filter(
    ({ state, operation, parameters }) =>
      state !== "complete" && isRequired(operation) && parameters.source === undefined,
  );
  const refused = (status: number) =>
    missing
      .filter((unit) => unit.status === status)
      .map(({ operation }) => operation)
      .join(", ");
  const [listed, inSlates] = [elementsOf("ratings", units), elementsOf("slate_ratings", units)];
  const reasons = [
    ...(refused(403) === "" ? [] : [`not permitted for this key: ${refused(403)}`]),
    ...(refused(404) === "" ? [] : [`the service answered 404: ${refused(404)}`]),
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
  published: readonly Unit[],
): Promise<ExportedExperiment> {
  let read = await readOnce(context, id, published);
  if (!read.isSettled) {
    context.log.warn(`${name} (${id}): its results changed while it was read; reading it again.`);
    await discard(context, read.units);
    read = await readOnce(context, id, published);
  }
  return { experiment: { id, name, type, ...stateOf(read.units, read.isSettled) }, units: read.units };
}
