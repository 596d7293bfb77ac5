import { join } from "node:path";
import { createAdaptiveLimit, type Client } from "../client/index.js";
import { systemClock, type Clock } from "../clock.js";
import { tableNames, type TableName } from "../contract/index.js";
import { fsp, makeDir } from "../files.js";
import { layoutOf, lockProject, publish, type Manifest } from "../lake/index.js";
import { silentLog, type Log } from "../log.js";
import { randomHex } from "../random.js";
import { version } from "../version.js";
import { createConverters } from "./converters.js";
import { readExperiment } from "./experiment.js";
import { previousManifest } from "./previous.js";
import { readExperiments, readProject, type Organization } from "./project.js";
import { createRawKeeper, keepNothing } from "./raw-keeper.js";
import type { ExportRun } from "./run.js";
import { everything, select, type Selection } from "./selection.js";

export interface ExportOptions {
  readonly client: Client;
  readonly projectId: string;
  readonly lake: string;
  readonly selection?: Selection;
  /** Tables to export; by default all. */
  readonly tables?: readonly TableName[] | undefined;
  /** Requests at a time, default 6. */
  readonly concurrency?: number;
  /** Keep response bodies under raw/, default true. */
  readonly keepRaw?: boolean;
  readonly organization?: Organization | undefined;
}

export interface ExportEffects {
  readonly clock?: Clock;
  readonly log?: Log;
}

/** What an export did; the console line and the run's summary are made from it. */
export interface ExportReport {
  readonly snapshot: string;
  readonly dir: string;
  readonly manifest: Manifest;
  readonly rows: number;
  readonly quarantined: number;
  /** Bytes of response bodies. */
  readonly bytes: number;
  readonly elapsed_ms: number;
}

/** Sortable by time; the random end keeps two runs of one second apart. */
const snapshotId = (now: Date) => `${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z-${randomHex(3)}`;

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Waits until nothing runs any more; the first failure takes what is still queued with it, and is thrown. */
async function settle(run: ExportRun, tasks: readonly Promise<unknown>[]): Promise<void> {
  let failure: { error: unknown } | undefined;
  const watched = tasks.map((task) =>
    task.catch((error: unknown) => {
      failure ??= { error };
      run.requests.clearQueue();
      run.converters.clear();
    }),
  );
  await Promise.all(watched);
  if (failure) throw failure.error;
}

async function readAll(run: ExportRun, options: ExportOptions): Promise<Pick<Manifest, "experiments" | "units">> {
  const { unit, experiments } = await readExperiments(run);
  const chosen = select(experiments, options.selection ?? everything);
  run.log.info(`${run.projectId}: ${chosen.length} of ${experiments.length} experiments.`);
  const project = readProject(run, options.organization);
  const each = chosen.map(async (one) => {
    const read = await readExperiment(run, one);
    const ratings = read.units.find(({ operation }) => operation === "listRatings")?.elements ?? 0;
    run.log.info(`  ${one.name}: ${ratings} ratings, ${read.units.length} requests.`, { experiment_id: one.id, ratings });
    return read;
  });
  await settle(run, [project, ...each]);
  const read = await Promise.all(each);
  return {
    experiments: read.map(({ experiment }) => experiment),
    units: [unit, ...(await project), ...read.flatMap(({ units }) => units)],
  };
}

/**
 * Exports a project as one new snapshot of the lake. Either the snapshot is published whole, with every count and
 * digest in its manifest, or nothing changes. Throws ExportError, UsageError or InterruptedError.
 */
export async function exportSnapshot(options: ExportOptions, { clock = systemClock, log = silentLog }: ExportEffects = {}): Promise<ExportReport> {
  const { client, projectId, lake, concurrency = 6, keepRaw = true } = options;
  const layout = layoutOf(lake, projectId);
  const created = clock.now();
  const started = clock.monotonicMs();
  const snapshot = snapshotId(created);
  const lock = await lockProject(lake, projectId, clock);
  const staged = join(layout.staging, snapshot);
  const spool = join(layout.staging, `.spool-${snapshot}`);
  const converters = createConverters();
  let spooled = 0;
  let bytes = 0;
  let raw = keepNothing;
  try {
    await makeDir(staged);
    await makeDir(spool);
    const previous = await previousManifest(lake, projectId, log);
    if (keepRaw) raw = createRawKeeper(layout.raw, spool, new Map(previous?.raw?.map(({ body, sha256 }) => [body, sha256])));
    const run: ExportRun = {
      client, projectId, snapshot, staged, spool, clock, log,
      raw,
      tables: new Set(options.tables ?? tableNames),
      requests: createAdaptiveLimit(concurrency, clock),
      converters,
      onBytes: (count) => (bytes += count),
      nextSpool: () => join(spool, `${spooled++}.json`),
    };
    const { experiments, units } = await readAll(run, options);
    const manifest: Manifest = {
      format: 1,
      recount: version,
      snapshot,
      project_id: projectId,
      service: client.origin,
      created_at: created.toISOString(),
      elapsed_ms: Math.round(clock.monotonicMs() - started),
      previous: previous?.snapshot ?? null,
      selection: options.selection ?? everything,
      experiments,
      units,
      raw: await raw.finish(),
    };
    const dir = await publish(lake, staged, manifest);
    const parts = units.flatMap((unit) => unit.parts);
    return {
      snapshot, dir, manifest, bytes,
      rows: sum(parts.map((part) => part.rows)),
      quarantined: sum(parts.map((part) => part.quarantined)),
      elapsed_ms: manifest.elapsed_ms,
    };
  } finally {
    await raw.abandon();
    converters.close();
    await fsp.rm(spool, { recursive: true, force: true });
    await fsp.rm(staged, { recursive: true, force: true });
    lock.release();
  }
}
