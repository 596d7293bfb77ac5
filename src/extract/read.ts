// The order of reading: the list of experiments, the project's published numbers, each experiment.
import pLimit from "p-limit";
import { NotFoundFailure } from "../client/index.js";
import { requestPath } from "../contract/index.js";
import type { Manifest, Unit } from "../lake/index.js";
import { settings } from "../platform/index.js";
import type { ExportedExperiment } from "./checkpoint.js";
import type { ExportContext } from "./context.js";
import { readExperiments, type ListedExperiment } from "./list-experiments.js";
import { everything, select, type BillingAccount, type ExportOptions } from "./options.js";
import { experimentList, resourcesOf } from "./plan.js";
import { readExperiment } from "./read-experiment.js";
import { changedSince, discard } from "./read-twice.js";
import { identifiedRows, readResource, type IdentifiedRow } from "./resource.js";

/**
 * The list of experiments and the project's published numbers are read first, since everything else
 * follows from them; published numbers once more at the end.
 */
export async function readAll(
  context: ExportContext,
  options: Pick<ExportOptions, "selection" | "organization" | "concurrency">,
): Promise<Pick<Manifest, "experiments" | "units">> {
  const {
    selection = everything,
    organization,
    concurrency = settings.concurrency.default,
  } = options;
  const { client, log, progress, projectId } = context;
  const { unit, experiments } = await readExperiments(context);
  const { identified: chosen, misidentified } = identifiedRows(
    select(experiments, selection),
    client.redact,
  );
  log.info(`${projectId}: ${chosen.length} of ${experiments.length} experiments.`);
  const published = await readPublishedLists(context);

  progress.add({ experiments: chosen.length });
  const project = readProject(context, organization);
  // Not all at once: the ratings and results of one are then from about the same moment, and an
  // interrupted export has finished some.
  const limit = pLimit(concurrency);
  const reading = chosen.map((one) => limit(() => readOne(context, one, published)));
  await settleAll(context, [project, ...reading]);
  const read = await Promise.all(reading);
  checkFound(context, read);

  const settled = await settlePublished(context, published);
  const named = read.map((one, i) => doubted(one, chosen[i] as ListedExperiment));
  const list = misidentified.length === 0 ? unit : { ...unit, misidentified };
  return {
    experiments: named.map(({ experiment }) => experiment),
    units: [list, ...settled, ...(await project), ...named.flatMap(({ units }) => units)],
  };
}

async function readOne(
  context: ExportContext,
  one: IdentifiedRow<ListedExperiment>,
  published: readonly Unit[],
): Promise<ExportedExperiment> {
  const read = await resumeOrRead(context, one, published);
  const rows = read.units.flatMap(({ parts }) => parts).reduce((sum, part) => sum + part.rows, 0);
  context.progress.add({ done: 1, rows });
  context.log.info(`  ${one.name}: ${rows} rows, ${read.units.length} requests.`, {
    experiment_id: one.id,
    rows,
  });
  return read;
}

/** The first failure cancels queued tasks and is thrown. */
async function settleAll(
  context: ExportContext,
  tasks: readonly Promise<unknown>[],
): Promise<void> {
  let failure: { error: unknown } | undefined;
  const watched = tasks.map((task) =>
    task.catch((error: unknown) => {
      failure ??= { error };
      context.ending.abort();
      void context.requests.end();
      void context.sessions.close();
    }),
  );
  await Promise.all(watched);
  if (failure) throw failure.error;
}

const digestsOfBodies = (units: readonly Unit[]): string[] =>
  units.flatMap(({ body }) => body?.sha256 ?? []);

async function resumeOrRead(
  context: ExportContext,
  one: IdentifiedRow<ListedExperiment>,
  published: readonly Unit[],
): Promise<ExportedExperiment> {
  const { checkpoint, raw } = context;
  const finished = checkpoint.finished.get(one.id);
  const bodies = digestsOfBodies(finished?.units ?? []);
  const isKept = await Promise.all(bodies.map((sha256) => raw.keepAgain(sha256)));
  if (finished && isKept.every(Boolean)) return finished;
  const read = await readExperiment(context, one, published);
  checkpoint.record(read, raw.kept(digestsOfBodies(read.units)));
  return read;
}

/** Under the name that the list gives it; incomplete if its row there is in quarantine. */
function doubted(
  { experiment, units }: ExportedExperiment,
  { name, type, misfit }: ListedExperiment,
): ExportedExperiment {
  if (misfit === null) return { experiment: { ...experiment, name, type }, units };
  const state = experiment.state === "complete" ? "incomplete" : experiment.state;
  const reason = [
    `its row in the list of experiments is in quarantine: ${misfit}`,
    experiment.reason,
  ];
  return {
    experiment: { ...experiment, name, type, state, reason: reason.filter(Boolean).join("; ") },
    units,
  };
}

/**
 * One experiment may be deleted while it is read. If nothing is at any of them, the address is
 * probably wrong. @throws NotFoundFailure.
 */
function checkFound(
  { client, projectId }: ExportContext,
  read: readonly ExportedExperiment[],
): void {
  const [first] = read.flatMap(({ units }) => units);
  if (
    first?.experiment_id == null ||
    read.some(({ units }) => units.some(({ status }) => status !== 404))
  )
    return;
  const { operation, experiment_id, parameters } = first;
  const path = requestPath(operation, { project_id: projectId, experiment_id, ...parameters });
  throw new NotFoundFailure(operation, new URL(client.address + path).pathname);
}

const projectLists = ({ tables }: ExportContext, isPublished: boolean) =>
  resourcesOf("project", tables).filter(
    ({ operation, table }) =>
      operation !== experimentList.operation && (table.readTwice === true) === isPublished,
  );

/** Those that are asked for each source first, since answers need the whole. */
async function readPublishedLists(context: ExportContext): Promise<Unit[]> {
  const lists = projectLists(context, true);
  const wholes = lists.filter(({ table }) => table.sources !== undefined);
  const published = (
    await Promise.all(wholes.map((resource) => readResource(context, resource)))
  ).flat();
  const others = lists.filter((resource) => !wholes.includes(resource));
  const read = others.map((resource) => readResource(context, resource, { published }));
  return [...published, ...(await Promise.all(read)).flat()];
}

/**
 * Unchanged if the service still answers the same after everything else; otherwise read once more,
 * and torn if they change even then.
 */
async function settlePublished(
  context: ExportContext,
  published: readonly Unit[],
): Promise<readonly Unit[]> {
  const changed = await changedSince(context, published, published);
  if (changed.size === 0) return published;
  const names = [...new Set([...changed].map(({ operation }) => operation))].join(", ");
  context.log.warn(
    `${names}: the project's published numbers changed during the export; reading them again.`,
  );
  await discard(context, published);
  const again = await readPublishedLists(context);
  const torn = await changedSince(context, again, again);
  return again.map((unit) => (torn.has(unit) ? { ...unit, is_torn: true } : unit));
}

async function readProject(
  context: ExportContext,
  organization: BillingAccount | undefined,
): Promise<Unit[]> {
  const units = await Promise.all([
    ...projectLists(context, false).map((resource) => readResource(context, resource)),
    ...(organization ? resourcesOf("organization", context.tables) : []).map((resource) =>
      readResource(context, resource, { parameters: { ...organization } }),
    ),
  ]);
  return units.flat();
}
