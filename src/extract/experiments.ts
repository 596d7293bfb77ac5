import { isRequired, type TableName } from "../contract/index.js";
import { keyOf, type ExperimentState, type ManifestExperiment, type Part, type Unit } from "../lake/index.js";
import { ExportError, mapTexts, traced } from "../platform/index.js";
import { text } from "../warehouse/index.js";
import type { ExportedExperiment } from "./checkpoint.js";
import type { ExportContext } from "./context.js";
import type { Selectable } from "./options.js";
import { experimentList, phasesOf } from "./plan.js";
import { changedSince, discard } from "./published.js";
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

/** An experiment of the project's list. */
export interface ListedExperiment extends Selectable {
  readonly element: number;
  /** Why its row is in quarantine; null if it is not. */
  readonly misfit: string | null;
}

interface QuarantinedRow {
  readonly element: number;
  readonly reason: string;
  readonly raw: string | null;
}

/** What can be read of a row in quarantine, even if a control character makes it no JSON. */
function recordIn(raw: string | null): Readonly<Record<string, unknown>> {
  const readable = (raw ?? "").replaceAll(/\p{Cc}/gu, " ");
  try {
    const value: unknown = JSON.parse(readable.slice(Math.max(0, readable.indexOf("{"))));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

const textIn = (value: unknown) => (typeof value === "string" ? value : null);

async function quarantinedRows({ store, checkpoint }: ExportContext, part: Part): Promise<ListedExperiment[]> {
  const { quarantine } = part;
  const lines = quarantine === null ? "" : ((await store.read(keyOf(checkpoint.staged, part, quarantine))) ?? "");
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { element, reason, raw } = JSON.parse(line) as QuarantinedRow;
      const { id, name, type } = recordIn(raw);
      const identifier = Number.isSafeInteger(id) ? String(id) : textIn(id);
      return { element, id: identifier, name: textIn(name) ?? "", type: textIn(type), misfit: reason };
    });
}

/** The rows of a part, which has no sort order, and those in quarantine, in the order of the list. */
async function rowsOf(context: ExportContext, part: Part): Promise<ListedExperiment[]> {
  const { store, checkpoint, sessions } = context;
  const unfit = await quarantinedRows(context, part);
  const fitting = await sessions.use((warehouse) =>
    warehouse.all(
      `select id, coalesce(name, '') as name, type from read_parquet(${text(store.locate(keyOf(checkpoint.staged, part, part.path)))})`,
    ),
  );
  const rows = [...unfit];
  const taken = new Set(unfit.map(({ element }) => element));
  let element = 0;
  for (const { id, name, type } of fitting) {
    while (taken.has(element)) element++;
    rows.push({ element, id: textIn(id), name: name as string, type: textIn(type), misfit: null });
    element++;
  }
  return rows.toSorted((a, b) => a.element - b.element);
}

/** The project's list of experiments, rows in quarantine included. @throws ExportError when the key may not read it. */
export async function readExperiments(
  context: ExportContext,
): Promise<{ unit: Unit; experiments: ListedExperiment[] }> {
  const [unit] = (await readResource(context, experimentList)) as [Unit];
  if (unit.state !== "complete")
    throw new ExportError(
      `${unit.operation}: this key may not list the experiments of ${context.projectId} (${unit.status}).`,
    );
  const rows = await Promise.all(unit.parts.map((part) => rowsOf(context, part)));
  const experiments = rows.flat().map((row) => ({ ...mapTexts(row, context.client.redact), id: row.id }));
  return { unit, experiments };
}
