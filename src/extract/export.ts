import { join } from "node:path";
import pLimit from "p-limit";
import { createAdaptiveLimit, type Client } from "../client/index.js";
import { systemClock, type Clock, messageOf, fsp, makeDir, silentLog, type Log, version } from "../platform/index.js";
import { tableNames, type TableName } from "../contract/index.js";
import { layoutOf, lockProject, publish, type Manifest } from "../lake/index.js";
import { beforeOf } from "./before.js";
import { converterId } from "./convert.js";
import { exportFailure } from "./failure.js";
import { createConverters } from "./converters.js";
import { openAttempt, type Attempt } from "./attempt.js";
import { readExperiment, type ExportedExperiment } from "./experiment.js";
import { previousManifest } from "./previous.js";
import { readExperiments, readProject, type Organization } from "./project.js";
import { createRawKeeper, keepNothing } from "./raw-keeper.js";
import type { ExportRun } from "./run.js";
import { createBodyScanner } from "./scan/body-scanner.js";
import { everything, select, type Selectable, type Selection } from "./selection.js";
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
  /** Requests at a time, and so many experiments; default 6. */
  readonly concurrency?: number;
  /** Keep response bodies under raw/, default true. */
  readonly keepRaw?: boolean;
  readonly organization?: Organization | undefined;
  /** Go on with the experiments that an ended run left whole, where it was asked for the same. Default false. */
  readonly resume?: boolean;
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

const defaultConcurrency = 6;

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

const bodiesOf = ({ units }: ExportedExperiment) => units.flatMap(({ body }) => (body === null ? [] : [body.sha256]));

/** An experiment as an earlier attempt left it, when its raw bodies are kept too; else as the service has it now. */
async function readOrTake(run: ExportRun, attempt: Attempt, one: Selectable): Promise<ExportedExperiment> {
  const taken = attempt.finished.get(one.id);
  const bodies = taken === undefined ? [] : bodiesOf(taken);
  const sound = taken !== undefined && (await Promise.all(bodies.map((sha256) => run.raw.has(sha256)))).every(Boolean);
  if (sound) {
    for (const sha256 of bodies) await run.raw.again(sha256);
    return taken;
  }
  const read = await readExperiment(run, one);
  attempt.note(read, run.raw.kept(bodiesOf(read)));
  return read;
}

async function readAll(
  run: ExportRun,
  options: ExportOptions,
  attempt: Attempt,
): Promise<Pick<Manifest, "experiments" | "units">> {
  const { unit, experiments } = await readExperiments(run);
  const chosen = select(experiments, options.selection ?? everything);
  run.log.info(`${run.projectId}: ${chosen.length} of ${experiments.length} experiments.`);
  const project = readProject(run, options.organization);
  run.onExperiments(chosen.length);
  // One experiment after the other rather than all at once: its ratings and results are then those of one moment, and a
  // run that ends early has left whole ones.
  const underWay = pLimit(options.concurrency ?? defaultConcurrency);
  const readOne = async (one: Selectable) => {
    const read = await readOrTake(run, attempt, one);
    run.onExperiment(sum(read.units.flatMap(({ parts }) => parts.map((part) => part.rows))));
    const ratings = read.units.find(({ operation }) => operation === "listRatings")?.elements ?? 0;
    run.log.info(`  ${one.name}: ${ratings} ratings, ${read.units.length} requests.`, {
      experiment_id: one.id,
      ratings,
    });
    return read;
  };
  const each = chosen.map((one) => underWay(() => readOne(one)));
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
export async function exportSnapshot(
  options: ExportOptions,
  { clock = systemClock, log = silentLog, onProgress = () => undefined }: ExportEffects = {},
): Promise<ExportReport> {
  const { client, projectId, lake, concurrency = defaultConcurrency, keepRaw = true } = options;
  const layout = layoutOf(lake, projectId);
  const started = clock.monotonicMs();
  const lock = await lockProject(lake, projectId, clock);
  const terms = {
    service: client.origin,
    selection: options.selection ?? everything,
    tables: options.tables ?? tableNames,
    keepRaw,
    converter: converterId,
  };
  const attempt = await openAttempt(layout, terms, options.resume ?? false, { clock, log }).catch(
    async (error: unknown) => {
      await lock.release();
      throw exportFailure(error, layout.project);
    },
  );
  const { snapshot, created, staged } = attempt;
  const spool = join(layout.staging, `.spool-${snapshot}`);
  let isResumable = true;
  const requests = createAdaptiveLimit(concurrency, clock);
  const converters = createConverters(spool);
  const ending = new AbortController();
  const scanner = createBodyScanner();
  let spooled = 0;
  let progress: ExportProgress = { experiments: 0, done: 0, rows: 0, bytes: 0 };
  const advance = (change: Partial<ExportProgress>) => onProgress((progress = { ...progress, ...change }));
  let raw = keepNothing;
  try {
    await makeDir(spool);
    const previous = await previousManifest(lake, projectId, log);
    if (keepRaw)
      raw = createRawKeeper(layout.raw, spool, new Map(previous?.raw?.map(({ body, sha256 }) => [body, sha256])));
    const run: ExportRun = {
      client,
      projectId,
      snapshot,
      staged,
      spool,
      clock,
      log,
      raw,
      before: beforeOf(lake, previous),
      tables: new Set(options.tables ?? tableNames),
      requests,
      ending,
      converters,
      scanner,
      onBytes: (count) => advance({ bytes: progress.bytes + count }),
      onExperiments: (experiments) => advance({ experiments }),
      onExperiment: (rows) => advance({ done: progress.done + 1, rows: progress.rows + rows }),
      nextSpool: () => join(spool, `${spooled++}.json`),
    };
    const { experiments, units } = await readAll(run, options, attempt);
    isResumable = false;
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
    await attempt.settle();
    const gone = await converters.use((warehouse) => tombstones(warehouse, previous, described, { lake, staged }));
    const manifest = gone === undefined ? described : { ...described, tombstones: gone };
    const dir = await publish(lake, staged, manifest);
    const parts = units.flatMap((unit) => unit.parts);
    return {
      snapshot,
      dir,
      manifest,
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
    await attempt.settle().catch(() => undefined);
    const keep = isResumable && attempt.noted() > 0;
    if (keep)
      log.info(
        `${attempt.noted()} whole experiments wait in ${staged}; \`recount export --resume\` goes on from them.`,
      );
    else await attempt.forget();
    for (const folder of keep ? [spool] : [spool, staged]) {
      await fsp.rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch((error: unknown) => {
        log.warn(`${folder} is left behind: ${messageOf(error)}; the next export removes it.`);
      });
    }
    await lock.release();
  }
}
