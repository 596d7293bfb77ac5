// Reads the selected experiments and the tables of the whole project.
import pLimit from "p-limit";
import { NotFoundFailure } from "../client/index.js";
import { requestPath, isRequired, type TableName, isReadTwice } from "../contract/index.js";
import {
  type Manifest,
  type Unit,
  fileKey,
  type ExperimentState,
  type ManifestExperiment,
  type Part,
  filesOf,
} from "../lake/index.js";
import {
  settings,
  counted,
  ExportError,
  mapTexts,
  removeFile,
  jsonIn,
  readParquet,
  textOrNull,
} from "../platform/index.js";
import { text } from "../warehouse/index.js";
import type { ExportedExperiment } from "./checkpoint.js";
import type { ExportContext } from "./context.js";
import { fetchBody } from "./fetch.js";
import {
  identifiedRows,
  readResource,
  type IdentifiedRow,
  bodySourceOf,
  wholeOf,
} from "./resource.js";
import {
  everything,
  select,
  type BillingAccount,
  type ExportOptions,
  type Selectable,
} from "./options.js";
import { convertBody } from "./part.js";
import { experimentList, resourcesOf, phasesOf, resourceOf } from "./plan.js";

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

const partOfUnits = (table: TableName, units: readonly Unit[]): Part | undefined =>
  units
    .filter(({ parameters }) => parameters.source === undefined)
    .flatMap(({ parts }) => parts)
    .find((part) => part.table === table);

/**
 * Lists are read one after another, so they disagree where one is empty, doubled or another
 * experiment's. A list with rows in quarantine, or of no jobs, lacks nothing for sure.
 */
async function contradictionsIn(
  { store, checkpoint, sessions: pool, previous }: ExportContext,
  experimentId: string,
  units: readonly Unit[],
): Promise<string[]> {
  const [ratings, slates, inSlates, sessions, jobs, results] = (
    ["ratings", "slates", "slate_ratings", "sessions", "jobs", "results"] as const
  ).map((table) => partOfUnits(table, units));
  const said: string[] = [];
  const count = (part: Part) => part.rows + part.quarantined;
  if (ratings && inSlates && count(ratings) !== count(inSlates))
    said.push(
      `its slates hold ${count(inSlates)} ratings, but the list of ratings ${count(ratings)}`,
    );
  const rowsOf = (part: Part) =>
    readParquet(store.locate(fileKey(checkpoint.staged, part, part.path)));
  const naming = (id: string, parts: readonly (Part | undefined)[]) =>
    parts
      .flatMap((part) => (part && part.rows > 0 ? [`select ${id} as id from ${rowsOf(part)}`] : []))
      .join(" union all ");
  const bySource = naming("trim(unnest(string_split(source, ',')))", [results]);
  const listedJobs = jobs && jobs.rows > 0 ? jobs : undefined;
  const lists = [
    {
      list: sessions,
      named: naming("session_id", [ratings, slates]),
      says: (n: number) =>
        `its ratings and slates name ${counted(n, "session")} that its list of sessions lacks`,
    },
    {
      list: listedJobs,
      named: naming("job_id", [ratings, slates, sessions]),
      says: (n: number) =>
        `its ratings, slates and sessions name ${counted(n, "job")} that its list of jobs lacks`,
    },
    {
      list: listedJobs,
      named: bySource && `select id from (${bySource}) where id <> ${text(experimentId)}`,
      says: (n: number) => `its results name ${counted(n, "source")} other than it and its jobs`,
    },
  ].flatMap(({ list, named, says }) =>
    list?.quarantined === 0 && named !== "" ? [{ list, named, says }] : [],
  );
  const named = [ratings, slates, sessions, jobs, results].filter((part) => part !== undefined);
  if (lists.length === 0 || previous.wasComplete(experimentId, named)) return said;
  const counts = lists.map(
    ({ list, named }) =>
      `(select count(distinct id) from (${named}) where id <> '' and id not in (select id ` +
      `from ${rowsOf(list)} where id is not null))`,
  );
  const [row = {}] = await pool.use((warehouse) =>
    warehouse.all(`select ${counts.map((n, i) => `${n} as n${i}`).join()}`),
  );
  lists.forEach(({ says }, i) => {
    const n = Number(row[`n${i}`]);
    if (n > 0) said.push(says(n));
  });
  return said;
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
async function readExperiment(
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

interface ListedExperiment extends Selectable {
  readonly element: number;
  /** Why its row is in quarantine; null if it is not. */
  readonly misfit: string | null;
}

interface QuarantinedRow {
  readonly element: number;
  readonly reason: string;
  readonly raw: string | null;
}

/** Of a row in quarantine, even if a control character makes it no JSON. */
function recordIn(raw: string | null): Readonly<Record<string, unknown>> {
  const readable = (raw ?? "").replaceAll(/\p{Cc}/gu, " ");
  const value = jsonIn(readable.slice(Math.max(0, readable.indexOf("{"))));
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

async function quarantinedExperiments(
  { store, checkpoint }: ExportContext,
  part: Part,
): Promise<ListedExperiment[]> {
  const { quarantine } = part;
  const lines =
    quarantine === null
      ? ""
      : ((await store.read(fileKey(checkpoint.staged, part, quarantine))) ?? "");
  return lines
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { element, reason, raw } = JSON.parse(line) as QuarantinedRow;
      const { id, name, type } = recordIn(raw);
      const identifier = Number.isSafeInteger(id) ? String(id) : textOrNull(id);
      return {
        element,
        id: identifier,
        name: textOrNull(name) ?? "",
        type: textOrNull(type),
        misfit: reason,
      };
    });
}

async function experimentRows(context: ExportContext, part: Part): Promise<ListedExperiment[]> {
  const { store, checkpoint, sessions } = context;
  const unfit = await quarantinedExperiments(context, part);
  const fitting = await sessions.use((warehouse) =>
    warehouse.all(
      "select id, coalesce(name, '') as name, type from " +
        readParquet(store.locate(fileKey(checkpoint.staged, part, part.path))),
    ),
  );
  const rows = [...unfit];
  const taken = new Set(unfit.map(({ element }) => element));
  let element = 0;
  for (const { id, name, type } of fitting) {
    while (taken.has(element)) element++;
    rows.push({
      element,
      id: textOrNull(id),
      name: name as string,
      type: textOrNull(type),
      misfit: null,
    });
    element++;
  }
  return rows.toSorted((a, b) => a.element - b.element);
}

/** Rows in quarantine included. @throws ExportError when the key may not read it. */
async function readExperiments(
  context: ExportContext,
): Promise<{ unit: Unit; experiments: ListedExperiment[] }> {
  const [unit] = (await readResource(context, experimentList)) as [Unit];
  if (unit.state !== "complete")
    throw new ExportError(
      `${unit.operation}: this key may not list the experiments of ${context.projectId} ` +
        `(${unit.status}).`,
    );
  const rows = await Promise.all(unit.parts.map((part) => experimentRows(context, part)));
  const experiments = rows
    .flat()
    .map((row) => ({ ...mapTexts(row, context.client.redact), id: row.id }));
  return { unit, experiments };
}

/** If only the order changed, by its sorted part. */
async function isUnchanged(
  context: ExportContext,
  earlier: Unit,
  published: readonly Unit[],
): Promise<boolean> {
  const { operation, experiment_id: experimentId, parameters } = earlier;
  const resource = resourceOf(context.tables, operation);
  const asked = parameters.source;
  const { optional } = resource.table;
  const isForOne = asked !== undefined;
  const shape = isForOne ? undefined : resource.shape;
  const request = { operation, experimentId, parameters, optional, isForOne, shape, earlier };
  const { unit, body } = await fetchBody(context, request);
  const isSame = unit.body?.sha256 === earlier.body?.sha256;
  if (body === null) return isSame;
  try {
    if (isSame) return true;
    if (unit.elements !== earlier.elements || unit.elements === 0)
      return unit.elements === earlier.elements;
    const whole = asked === undefined ? undefined : wholeOf(resource, published);
    const source = await bodySourceOf(resource, body, context, {
      asked,
      whole,
      experimentId: experimentId ?? undefined,
      parameters,
    });
    for (const [i, name] of resource.tables.entries()) {
      const { file, sha256 } = await convertBody(context, name, source);
      await removeFile(file);
      if (sha256 !== earlier.parts[i]?.sha256) return false;
    }
    return true;
  } finally {
    await body.remove();
  }
}

/** @param published every list of published numbers that was read */
async function changedSince(
  context: ExportContext,
  units: readonly Unit[],
  published: readonly Unit[],
): Promise<ReadonlySet<Unit>> {
  const numbers = units.filter(({ operation }) => isReadTwice(operation));
  const isSame = await Promise.all(numbers.map((unit) => isUnchanged(context, unit, published)));
  return new Set(numbers.filter((_, i) => isSame[i] !== true));
}

async function discard(
  { store, checkpoint }: ExportContext,
  units: readonly Unit[],
): Promise<void> {
  const parts = units
    .flatMap((unit) => unit.parts)
    .filter(({ snapshot }) => snapshot === undefined);
  for (const { key } of filesOf(parts, checkpoint.staged)) await store.remove(key);
}
