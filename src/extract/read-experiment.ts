// Reads one experiment, once more if it does not agree with itself.
import { isRequired } from "../contract/index.js";
import type { ExperimentState, ManifestExperiment, Unit } from "../lake/index.js";
import type { ExportedExperiment } from "./checkpoint.js";
import type { ExportContext } from "./context.js";
import { contradictionsIn } from "./contradictions.js";
import { phasesOf } from "./plan.js";
import { changedSince, discard } from "./read-twice.js";
import { readResource } from "./resource.js";

/** @param published lists of published numbers of the project, read whole */
async function readOnce(
  context: ExportContext,
  experimentId: string,
  published: readonly Unit[],
): Promise<ReadExperiment> {
  const units: Unit[] = [];
  for (const phase of phasesOf(context)) {
    const before = [...published, ...units];
    const read = phase.map((resource) =>
      readResource(context, resource, { experimentId, published: before }),
    );
    units.push(...(await Promise.all(read)).flat());
  }
  const changed = await changedSince(context, units, [...published, ...units]);
  return {
    units,
    isSettled: changed.size === 0,
    contradictions: await contradictionsIn(context, experimentId, units),
  };
}

interface ReadExperiment {
  readonly units: Unit[];
  /** Its published results did not change meanwhile. */
  readonly isSettled: boolean;
  readonly contradictions: readonly string[];
}

function experimentStateOf({ units, isSettled, contradictions }: ReadExperiment): {
  state: ExperimentState;
  reason: string | null;
} {
  if (!isSettled) return { state: "torn", reason: "its results changed twice while it was read" };
  const missing = units.filter(
    ({ state, operation, parameters }) =>
      state !== "complete" && isRequired(operation) && parameters.source === undefined,
  );
  const refused = (state: Unit["state"], says: (statuses: string) => string) => {
    const own = missing.filter((unit) => unit.state === state);
    const statuses = [...new Set(own.map(({ status }) => status))].join(", ");
    return own.length === 0
      ? []
      : [`${says(statuses)}: ${own.map(({ operation }) => operation).join(", ")}`];
  };
  const reasons = [
    ...refused("not_permitted", () => "not permitted for this key"),
    ...refused("not_offered", (statuses) => `the service answered ${statuses}`),
    ...contradictions,
  ];
  if (reasons.length === 0) return { state: "complete", reason: null };
  return { state: "incomplete", reason: reasons.join("; ") };
}

/**
 * Reads published results before and after everything else. If they changed, or the lists
 * contradict each other, the experiment is read once more; then it is torn, or incomplete.
 */
export async function readExperiment(
  context: ExportContext,
  { id, name, type }: Pick<ManifestExperiment, "id" | "name" | "type">,
  published: readonly Unit[],
): Promise<ExportedExperiment> {
  let read = await readOnce(context, id, published);
  if (!read.isSettled || read.contradictions.length > 0) {
    const why = read.isSettled
      ? read.contradictions.join("; ")
      : "its results changed while it was read";
    context.log.warn(`${name} (${id}): ${why}; reading it again.`);
    await discard(context, read.units);
    read = await readOnce(context, id, published);
  }
  return { experiment: { id, name, type, ...experimentStateOf(read) }, units: read.units };
}
