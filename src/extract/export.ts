import { join } from "node:path";
import { createAdaptiveLimit, type Client } from "../client/index.js";
import { systemClock, type Clock } from "../clock.js";
import { tableNames, type TableName } from "../contract/index.js";
import { messageOf } from "../errors.js";
import { fsp, makeDir } from "../files.js";
import { layoutOf, lockProject, publish, type Manifest } from "../lake/index.js";
import { silentLog, type Log } from "../log.js";
import { randomHex } from "../random.js";
import { version } from "../version.js";
import { beforeOf } from "./before.js";
import { converterId } from "./convert.js";
import { exportFailure } from "./failure.js";
import { clearLeftovers } from "./leftovers.js";
import { createConverters } from "./converters.js";
import { readExperiment } from "./experiment.js";
import { previousManifest } from "./previous.js";
import { readExperiments, readProject, type Organization } from "./project.js";
import { createRawKeeper, keepNothing } from "./raw-keeper.js";
import type { ExportRun } from "./run.js";
import { createBodyScanner } from "./scan/body-scanner.js";
import { everything, select, type Selection } from "./selection.js";
import { notices } from "./notices.js";
import { tombstones } from "./tombstones.js";
import { defaultShrink, guardShrink, type ShrinkLimits } from "./shrink.js";

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
  /** How much a list may lose against the previous snapshot. */
  readonly shrink?: ShrinkLimits;
}

/** How far an export is; for whoever watches. */
export interface ExportProgress {
  readonly experiments: number;
  readonly done: number;
  /** Rows of finished experiments. */
  readonly rows: number;
  /** Bytes of response bodies so far. */
  readonly bytes: number;
}

export interface ExportEffects {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly onProgress?: (progress: ExportProgress) => void;
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

/** Sortable by time, to the millisecond; the random end keeps two machines apart. */
const snapshotId = (now: Date) => `${now.toISOString().slice(0, 23).replaceAll(/[-:.]/g, "")}Z-${randomHex(3)}`;

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

/** Waits until nothing runs any more; the first failure takes what is still queued with it, and is thrown. */
async function settle(run: ExportRun, tasks: readonly Promise<unknown>[]): Promise<void> {
  let failure: { error: unknown } | undefined;
  const watched = tasks.map((task) =>
    task.catch((error: unknown) => {
      failure ??= { error };
      run.ending.abort();
      void run.requests.end();
      void run.converters.end();
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
  run.onExperiments(chosen.length);
  const each = chosen.map(async (one) => {
    const read = await readExperiment(run, one);
    run.onExperiment(sum(read.units.flatMap(({ parts }) => parts.map((part) => part.rows))));
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
export async function exportSnapshot(options: ExportOptions, { clock = systemClock, log = silentLog, onProgress = () => undefined }: ExportEffects = {}): Promise<ExportReport> {
  const { client, projectId, lake, concurrency = 6, keepRaw = true } = options;
  const layout = layoutOf(lake, projectId);
  const created = clock.now();
  const started = clock.monotonicMs();
  const snapshot = snapshotId(created);
  const lock = await lockProject(lake, projectId, clock);
  const staged = join(layout.staging, snapshot);
  const spool = join(layout.staging, `.spool-${snapshot}`);
  const requests = createAdaptiveLimit(concurrency, clock);
  const converters = createConverters(spool);
  const ending = new AbortController();
  const scanner = createBodyScanner();
  let spooled = 0;
  let progress: ExportProgress = { experiments: 0, done: 0, rows: 0, bytes: 0 };
  const advance = (change: Partial<ExportProgress>) => onProgress((progress = { ...progress, ...change }));
  let raw = keepNothing;
  try {
    await clearLeftovers(layout.staging, log);
    await makeDir(staged);
    await makeDir(spool);
    const previous = await previousManifest(lake, projectId, log);
    if (keepRaw) raw = createRawKeeper(layout.raw, spool, new Map(previous?.raw?.map(({ body, sha256 }) => [body, sha256])));
    const run: ExportRun = {
      client, projectId, snapshot, staged, spool, clock, log,
      raw,
      before: beforeOf(lake, previous),
      tables: new Set(options.tables ?? tableNames),
      requests, ending,
      converters,
      scanner,
      onBytes: (count) => advance({ bytes: progress.bytes + count }),
      onExperiments: (experiments) => advance({ experiments }),
      onExperiment: (rows) => advance({ done: progress.done + 1, rows: progress.rows + rows }),
      nextSpool: () => join(spool, `${spooled++}.json`),
    };
    const { experiments, units } = await readAll(run, options);
    notices(units, log);
    guardShrink(previous, units, options.shrink ?? defaultShrink);
    const described: Manifest = {
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
      converter: converterId,
      raw: await raw.finish(),
    };
    const gone = await converters.use((warehouse) => tombstones(warehouse, previous, described, { lake, staged }));
    const manifest = gone === undefined ? described : { ...described, tombstones: gone };
    const dir = await publish(lake, staged, manifest);
    const parts = units.flatMap((unit) => unit.parts);
    return {
      snapshot, dir, manifest,
      bytes: progress.bytes,
      rows: sum(parts.map((part) => part.rows)),
      quarantined: sum(parts.map((part) => part.quarantined)),
      elapsed_ms: manifest.elapsed_ms,
    };
  } catch (error) {
    throw exportFailure(error, layout.project);
  } finally {
    ending.abort();
    await requests.end();
    await converters.end();
    await raw.abandon();
    await scanner.close();
    for (const folder of [spool, staged]) {
      await fsp.rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
        log.warn(`${folder} is left behind: ${messageOf(error)}; the next export removes it.`);
      });
    }
    await lock.release();
  }
}
