import { isRequired, type TableName } from "../contract/index.js";
import { keyOf, type ExperimentState, type ManifestExperiment, type Part, type Unit } from "../lake/index.js";
import { counted, ExportError, mapTexts, traced } from "../platform/index.js";
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
): Promise<ReadExperiment> {
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
  return { units, isSettled: changed.size === 0, contradictions: await contradictionsIn(context, experimentId, units) };
}

interface ReadExperiment {
  readonly units: Unit[];
  /** False if its published results changed meanwhile. */
  readonly isSettled: boolean;
  /** What its lists say against each other, a clause each. */
  readonly contradictions: readonly string[];
}

/** The part of a table that holds its whole list; undefined if the list was not read. */
const partOf = (table: TableName, units: readonly Unit[]): Part | undefined =>
  units
    .filter(({ parameters }) => parameters.source === undefined)
    .flatMap(({ parts }) => parts)
    .find((part) => part.table === table);

/**
 * The lists of an experiment are read one after another, so they disagree where one is empty, doubled or another
 * experiment's. A list with rows in quarantine, or of no rows in the case of jobs, lacks nothing for sure.
 */
async function contradictionsIn(
  { store, checkpoint, sessions: pool }: ExportContext,
  experimentId: string,
  units: readonly Unit[],
): Promise<string[]> {
  const [ratings, slates, inSlates, sessions, jobs, results] = (
    ["ratings", "slates", "slate_ratings", "sessions", "jobs", "results"] as const
  ).map((table) => partOf(table, units));
  const said: string[] = [];
  const count = (part: Part) => part.rows + part.quarantined;
  if (ratings && inSlates && count(ratings) !== count(inSlates))
    said.push(`its slates hold ${count(inSlates)} ratings, but the list of ratings ${count(ratings)}`);
  const rowsOf = (part: Part) => `read_parquet(${text(store.locate(keyOf(checkpoint.staged, part, part.path)))})`;
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
      says: (n: number) => `its ratings and slates name ${counted(n, "session")} that its list of sessions lacks`,
    },
    {
      list: listedJobs,
      named: naming("job_id", [ratings, slates, sessions]),
      says: (n: number) => `its ratings, slates and sessions name ${counted(n, "job")} that its list of jobs lacks`,
    },
    {
      list: listedJobs,
      named: bySource && `select id from (${bySource}) where id <> ${text(experimentId)}`,
      says: (n: number) => `its results name ${counted(n, "source")} other than it and its jobs`,
    },
  ].flatMap(({ list, named, says }) => (list?.quarantined === 0 && named !== "" ? [{ list, named, says }] : []));
  if (lists.length === 0) return said;
  const counts = lists.map(
    ({ list, named }) =>
      `(select count(distinct id) from (${named}) where id <> '' and id not in (select id from ${rowsOf(list)} where id is not null))`,
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

function stateOf({ units, isSettled, contradictions }: ReadExperiment): {
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
    return own.length === 0 ? [] : [`${says(statuses)}: ${own.map(({ operation }) => operation).join(", ")}`];
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
 * Reads one experiment, with its published results before and after everything else. If they changed, they may not
 * belong to the ratings: the experiment is read once more and, if they changed again, marked as torn. The same if its lists
 * contradict each other, as they do where it changes while it is read; then it is incomplete.
 */
export async function readExperiment(
  context: ExportContext,
  { id, name, type }: Pick<ManifestExperiment, "id" | "name" | "type">,
  published: readonly Unit[],
): Promise<ExportedExperiment> {
  let read = await readOnce(context, id, published);
  if (!read.isSettled || read.contradictions.length > 0) {
    const why = read.isSettled ? read.contradictions.join("; ") : "its results changed while it was read";
    context.log.warn(`${name} (${id}): ${why}; reading it again.`);
    await discard(context, read.units);
    read = await readOnce(context, id, published);
  }
  return { experiment: { id, name, type, ...stateOf(read) }, units: read.units };
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
