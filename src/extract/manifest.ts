// The manifest of a new snapshot, and how it compares with the one before.
import { isDeepStrictEqual } from "node:util";
import { isReadTwice, lakeTable, looksSecret, tableNames } from "../contract/index.js";
import {
  columnsWritten,
  failedChecks,
  fileKey,
  layoutOf,
  manifestFormat,
  manifestUnder,
  shortfallsOf,
  type LakeStore,
  type Manifest,
  type Part,
  type RawBody,
  type Shortfall,
  type Tombstone,
  type Unit,
} from "../lake/index.js";
import {
  byText,
  ExportError,
  groupsOf,
  keyOf,
  mapTexts,
  QueryError,
  messageOf,
  version,
  type Log,
  sumOf,
  enginePath,
  readParquet,
} from "../platform/index.js";
import { quoted, type Warehouse } from "../warehouse/index.js";
import type { ExportContext } from "./context.js";
import {
  defaultShrink,
  everything,
  type ExportOptions,
  type ExportReport,
  type ShrinkLimits,
} from "./options.js";
import { writeListings } from "./listings.js";
import { converterId } from "./part.js";
import { requestKey } from "./previous-snapshot.js";
import { checkStaged } from "./row-checks.js";

export interface Origin extends Pick<ExportOptions, "selection" | "shrink" | "pseudonyms"> {
  readonly service: string;
  readonly redact: (text: string) => string;
  /** In ms of the monotonic clock. */
  readonly started: number;
}

export async function makeManifest(
  context: Pick<
    ExportContext,
    "store" | "checkpoint" | "previous" | "sessions" | "clock" | "log" | "projectId"
  >,
  { service, redact, started, selection = everything, shrink = defaultShrink, pseudonyms }: Origin,
  { experiments, units: read, imported }: Pick<Manifest, "experiments" | "units" | "imported">,
  keep: (units: readonly Unit[]) => Promise<RawBody[] | undefined> = () =>
    Promise.resolve(undefined),
): Promise<Manifest> {
  const { store, checkpoint, previous, sessions, clock, log, projectId } = context;
  const units =
    shrink.allow || imported !== undefined
      ? read
      : await sessions.use((warehouse) =>
          withVanished(warehouse, context, { service, redact }, read),
        );
  logNotices(units, shortfallsOf({ experiments, units }), log);
  guardShrink(previous.manifest, units, shrink);
  const kept = await keep(units);
  const original: Manifest = {
    format: manifestFormat,
    recount: version,
    snapshot: checkpoint.snapshot,
    project_id: projectId,
    service,
    created_at: checkpoint.created.toISOString(),
    elapsed_ms: Math.round(clock.monotonicMs() - started),
    previous: previous.manifest?.snapshot ?? null,
    selection,
    experiments: experiments.map((one) => ({ ...one, name: redact(one.name) })),
    units,
    columns: columnsWritten(units),
    converter: converterId(pseudonyms),
    ...(imported === undefined ? {} : { imported: mapTexts(imported, redact) }),
    ...(kept === undefined ? {} : { raw: kept }),
  };
  const manifest = pseudonyms === undefined ? original : manifestUnder(pseudonyms.keyId, original);
  await checkpoint.settle();
  const tombstones = await sessions.use((warehouse) =>
    findTombstones(warehouse, store, previous.manifest, manifest, checkpoint.staged),
  );
  const checks = await checkStaged(context, manifest);
  for (const { message, ...fields } of failedChecks(checks)) log.warn(message, fields);
  const listings = await writeListings(store, manifest, checkpoint.staged);
  const deletions = tombstones && { tombstones: mapTexts(tombstones, redact) };
  return { ...manifest, checks, ...deletions, listings };
}

export function reportOf(manifest: Manifest, dir: string, bytes: number): ExportReport {
  const { snapshot, units, elapsed_ms } = manifest;
  const parts = units.flatMap((unit) => unit.parts);
  return {
    snapshot,
    dir,
    manifest,
    bytes,
    elapsed_ms,
    rows: sumOf(parts.map((part) => part.rows)),
    quarantined: sumOf(parts.map((part) => part.quarantined)),
    shortfalls: shortfallsOf(manifest),
    secrets: sumOf(units.map((unit) => unit.secrets?.found ?? 0)),
  };
}

function kept(unknown: readonly string[]): string {
  const [dropped, shown] = [
    unknown.filter(looksSecret),
    unknown.filter((name) => !looksSecret(name)),
  ];
  return [
    ...(shown.length > 0 ? [`kept in _meta: ${shown.join(", ")}`] : []),
    ...(dropped.length > 0
      ? [`not stored because they look like secrets: ${dropped.join(", ")}`]
      : []),
  ].join("; ");
}

function secretsNotice(units: readonly Unit[]): string {
  const found = sumOf(units.map(({ secrets }) => secrets?.found ?? 0));
  const lists = [...new Set(units.map(({ operation }) => operation))].join(", ");
  const isMasked = units.every(({ secrets }) => secrets?.is_masked);
  const state = isMasked
    ? "They are masked in the snapshot."
    : "They are in the snapshot. Set export.mask_secrets or --mask-secrets to mask them, and " +
      "replace the key.";
  return (
    `The service repeats the credentials of this export ${found} ` +
    `${found === 1 ? "time" : "times"}, in ${lists}. ${state}`
  );
}

function logNotices(units: readonly Unit[], shortfalls: readonly Shortfall[], log: Log): void {
  for (const { message, ...fields } of shortfalls) log.warn(message, fields);
  const repeating = units.filter(({ secrets }) => secrets !== undefined);
  if (repeating.length > 0) log.warn(secretsNotice(repeating));
  for (const { operation, experiment_id, parts } of units) {
    const where = `${operation}${experiment_id === null ? "" : ` of ${experiment_id}`}`;
    for (const { table, unknown_fields } of parts) {
      const unknown = Object.keys(unknown_fields);
      if (unknown.length > 0)
        log.warn(`${where}: unknown fields in ${table}, ${kept(unknown)}.`, {
          table,
          unknown_fields,
        });
    }
  }
  const repeated = sumOf(units.flatMap(({ parts }) => parts.map((part) => part.repeated ?? 0)));
  if (repeated > 0)
    log.info(
      `${repeated} rows published for one source repeat the whole list and are not stored ` +
        `twice. If this service ignores \`source\`, --sources whole saves the requests.`,
      { repeated },
    );
}

const isGuarded = ({ operation, state, parameters }: Unit) =>
  state === "complete" &&
  parameters.source === undefined &&
  tableNames
    .map(lakeTable)
    .some((table) => table.operation === operation && table.mayShrink !== true);

const listNameOf = ({ operation, experiment_id }: Unit) => `${operation} ${experiment_id ?? ""}`;

/** A sentence for each list that lost more elements than allowed, or all of them. */
export function shrunkenLists(
  previous: Manifest | null,
  units: readonly Unit[],
  { max }: ShrinkLimits,
): string[] {
  const complete = previous?.units.filter(isGuarded) ?? [];
  const counts = new Map(complete.map((unit) => [listNameOf(unit), unit.elements]));
  return units.filter(isGuarded).flatMap((unit) => {
    const had = counts.get(listNameOf(unit)) ?? 0;
    const lost = had - unit.elements;
    if (had === 0 || lost <= 0 || (unit.elements > 0 && lost <= max * had)) return [];
    const of = unit.experiment_id === null ? "" : ` of ${unit.experiment_id}`;
    return [
      `${unit.operation}${of} has ${unit.elements} elements, ${had} in snapshot ` +
        (previous?.snapshot ?? ""),
    ];
  });
}

async function withVanished(
  warehouse: Warehouse,
  {
    store,
    checkpoint,
    previous,
    projectId,
    log,
  }: Pick<ExportContext, "store" | "checkpoint" | "previous" | "projectId" | "log">,
  { service, redact }: Pick<Origin, "service" | "redact">,
  units: readonly Unit[],
): Promise<Unit[]> {
  const { manifest } = previous;
  const known =
    manifest?.service === service
      ? manifest.units.filter(({ operation }) => isReadTwice(operation))
      : [];
  const before = new Map(known.map((unit) => [requestKey(unit), unit]));
  const changed = units.filter(
    (unit) => !isDeepStrictEqual(before.get(requestKey(unit))?.parts, unit.parts),
  );
  const earlier = changed.flatMap((unit) => before.get(requestKey(unit)) ?? []);
  const folder = `${layoutOf(projectId).snapshots}/${manifest?.snapshot ?? ""}`;
  const was = await resultsIn(warehouse, store, folder, earlier, manifest?.columns ?? {}).catch(
    (error: unknown) => {
      if (!(error instanceof QueryError)) throw error;
      // A damaged snapshot must not stop the next one: its manifest still has the counts.
      log.warn(
        `The results of snapshot ${manifest?.snapshot ?? ""} cannot be read ` +
          `(${messageOf(error)}): run \`recount verify\`.`,
      );
      return new Map<string, never>();
    },
  );
  const is = await resultsIn(warehouse, store, checkpoint.staged, changed, manifest?.columns ?? {});
  return units.map((unit) => {
    const keys = new Set(is.get(requestKey(unit))?.map(({ key }) => key));
    const lost = was.get(requestKey(unit))?.filter(({ key }) => !keys.has(key)) ?? [];
    const count = Math.max(
      lost.length,
      (before.get(requestKey(unit))?.elements ?? 0) - unit.elements,
    );
    const results = lost.map(({ name }) => redact(name)).toSorted(byText);
    return count > 0 ? { ...unit, vanished: { count, results } } : unit;
  });
}

const identityColumns = [
  "name",
  "kind",
  "dimension",
  "experiment_id",
  "source",
  "job_id",
  "leaderboard_id",
];

/**
 * By request: the identity of each result, and its name, for example "elo (quality, exp1)". @param
 * columns of each table that the parts have
 */
async function resultsIn(
  warehouse: Warehouse,
  store: LakeStore,
  folder: string,
  units: readonly Unit[],
  columns: Manifest["columns"],
) {
  const found: {
    readonly request: string | undefined;
    readonly key: unknown;
    readonly name: string;
  }[] = [];
  for (const table of tableNames.filter((name) => lakeTable(name).readTwice)) {
    const parts = units.flatMap((unit) =>
      unit.parts.filter((part) => part.table === table).map((part) => ({ unit, part })),
    );
    const own = columns[table];
    if (parts.length === 0 || own === undefined) continue;
    const files = new Map(
      parts.map(({ unit, part }) => [
        enginePath(store.locate(fileKey(folder, part, part.path))),
        requestKey(unit),
      ]),
    );
    const [first = "", ...rest] = identityColumns
      .filter((name) => name in own)
      .map((name) => `nullif(${quoted(name)}, '')`);
    const name =
      `concat(${first}, ' (' || nullif(concat_ws(', ', ${["null", ...rest].join()}), '') || ` +
      "')')";
    // A record with an identifier may get another name.
    const rows = await warehouse.all(
      `select filename, ${"id" in own ? "id" : name} as key, ${name} as name
      from ${readParquet([...files.keys()])}`,
    );
    found.push(
      ...rows.map(({ filename, ...row }) => ({
        request: files.get(filename as string),
        key: row.key,
        name: row.name as string,
      })),
    );
  }
  return groupsOf(found, ({ request = "" }) => request);
}

/**
 * @throws ExportError when a list shrank beyond the limits: a service that answers `[]` must not
 * empty a lake.
 */
function guardShrink(
  previous: Manifest | null,
  units: readonly Unit[],
  limits: ShrinkLimits,
): void {
  const [first, ...rest] = limits.allow ? [] : shrunkenLists(previous, units, limits);
  if (first === undefined) return;
  const more = rest.length === 0 ? "" : ` (and ${rest.length} more lists shrank)`;
  throw new ExportError(
    `${first}${more}. Nothing was published. If this is right, run again with --allow-shrink.`,
  );
}

const isComplete = ({ experiments }: Manifest) =>
  experiments.every(({ state }) => state === "complete");

/** By table and experiment, without rows in quarantine. */
function wholeParts({ units }: Manifest): ReadonlyMap<string, Part> {
  const whole = units.filter((unit) => unit.state === "complete" && !unit.misidentified);
  const parts = whole.flatMap((unit) =>
    unit.parts.map((part) => [keyOf(part.table, unit.experiment_id), part] as const),
  );
  // The first of each: later ones are of one source.
  return new Map(parts.filter(([, { quarantined }]) => quarantined === 0).toReversed());
}

/**
 * Primary keys that the previous snapshot had and this one does not. Undefined unless both are
 * complete and have the same service and selection: what was not read is not deleted.
 */
async function findTombstones(
  warehouse: Warehouse,
  store: LakeStore,
  before: Manifest | null,
  after: Manifest,
  staged: string,
): Promise<Tombstone[] | undefined> {
  if (before === null || !isComplete(before) || !isComplete(after)) return undefined;
  if (before.service !== after.service) return undefined;
  if (JSON.stringify(before.selection) !== JSON.stringify(after.selection)) return undefined;
  const previous = `${layoutOf(after.project_id).snapshots}/${before.snapshot}`;
  const [earlier, later] = [wholeParts(before), wholeParts(after)];
  const found: Tombstone[] = [];
  for (const table of tableNames) {
    const key = lakeTable(table).primaryKey;
    if (key === undefined) continue;
    const idsIn = (folder: string, part: Part) =>
      `select ${quoted(key)}::varchar as id from ` +
      readParquet(store.locate(fileKey(folder, part, part.path)));
    for (const experiment of [null, ...after.experiments.map(({ id }) => id)]) {
      const was = earlier.get(keyOf(table, experiment));
      const is = later.get(keyOf(table, experiment));
      if (!was || !is || was.sha256 === is.sha256) continue;
      const rows = await warehouse.all(
        `select distinct id from (${idsIn(previous, was)}) where id not in (from ` +
          `(${idsIn(staged, is)}) where id is not null) order by id`,
      );
      if (rows.length > 0)
        found.push({ table, experiment_id: experiment, ids: rows.map(({ id }) => id as string) });
    }
  }
  return found;
}
