import pLimit from "p-limit";
import { createAdaptiveLimit, type Client } from "../client/index.js";
import { defaultTables, type TableName } from "../contract/index.js";
import {
  columnsWritten,
  layoutOf,
  lockProject,
  manifestFormat,
  openStore,
  publish,
  shortfallsOf,
  type LakeStore,
  type Manifest,
  type Shortfall,
  type Unit,
} from "../lake/index.js";
import {
  codeOf,
  ExportError,
  messageOf,
  RecountError,
  silentLog,
  systemClock,
  version,
  type Clock,
  type Log,
  settings,
  choices,
} from "../platform/index.js";
import { QueryError } from "../warehouse/index.js";
import { openCheckpoint, type Checkpoint, type ExportedExperiment } from "./checkpoint.js";
import type { ExportContext } from "./context.js";
import { converterId, createSessionPool } from "./convert/index.js";
import { readExperiment } from "./experiment.js";
import { createRawKeeper, keepNothing } from "./fetch/index.js";
import { createScanner } from "./json/index.js";
import { logNotices } from "./notices.js";
import { withParents, type SourceScope } from "./plan.js";
import { openPreviousSnapshot } from "./previous-snapshot.js";
import { createProgress, type ExportProgress } from "./progress.js";
import { readExperiments, type ListedExperiment } from "./experiment-list.js";
import { identify, type Identified } from "./listed.js";
import { readProject, readPublished, type BillingAccount } from "./project.js";
import { everything, select, type Selection } from "./selection.js";
import { defaultShrink, guardShrink, type ShrinkLimits } from "./shrink-guard.js";
import { findTombstones } from "./tombstones.js";

export interface ExportOptions {
  readonly client: Client;
  readonly projectId: string;
  readonly lake: string;
  readonly selection?: Selection;
  /** Tables to export; by default all except those that must be selected by name. */
  readonly tables?: readonly TableName[] | undefined;
  /** Whether numbers published for each job and leaderboard are read too (`all`, the default), or not (`whole`). */
  readonly sources?: SourceScope;
  /** Maximum number of concurrent requests, and of concurrent experiments; default 6. */
  readonly concurrency?: number;
  /** Keep response bodies under raw/; default true. */
  readonly keepRaw?: boolean;
  readonly organization?: BillingAccount | undefined;
  /** Resume an interrupted export with the same settings; default false. */
  readonly resume?: boolean;
  /** How much a list may shrink since the previous snapshot. */
  readonly shrink?: ShrinkLimits;
}

interface ExportEffects {
  readonly clock?: Clock;
  readonly log?: Log;
  readonly onProgress?: (progress: ExportProgress) => void;
}

/** The result of an export; the console line and the run's summary are made from it. */
export interface ExportReport {
  readonly snapshot: string;
  /** Path of the snapshot. */
  readonly dir: string;
  readonly manifest: Manifest;
  readonly rows: number;
  readonly quarantined: number;
  /** What keeps the snapshot from being whole. */
  readonly shortfalls: readonly Shortfall[];
  /** Bytes of response bodies. */
  readonly bytes: number;
  readonly elapsed_ms: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const partsOf = ({ units }: Pick<Manifest, "units">) => units.flatMap(({ parts }) => parts);

/** Waits for all tasks. The first failure cancels queued tasks and is thrown. */
async function settle(context: ExportContext, tasks: readonly Promise<unknown>[]): Promise<void> {
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

/** An experiment from the checkpoint, when its bodies are kept too; otherwise from the service. */
async function resumeOrRead(
  context: ExportContext,
  one: Identified<ListedExperiment>,
  published: readonly Unit[],
): Promise<ExportedExperiment> {
  const { checkpoint, raw } = context;
  const bodiesOf = ({ units }: ExportedExperiment) => units.flatMap(({ body }) => body?.sha256 ?? []);
  const finished = checkpoint.finished.get(one.id);
  if (finished && (await Promise.all(bodiesOf(finished).map((sha256) => raw.has(sha256)))).every(Boolean)) {
    for (const sha256 of bodiesOf(finished)) await raw.keepAgain(sha256);
    return finished;
  }
  const read = await readExperiment(context, one, published);
  checkpoint.record(read, raw.kept(bodiesOf(read)));
  return read;
}

/** The experiment under the name that the list gives it; incomplete if its row there is in quarantine. */
function doubted(
  { experiment, units }: ExportedExperiment,
  { name, type, misfit }: ListedExperiment,
): ExportedExperiment {
  if (misfit === null) return { experiment: { ...experiment, name, type }, units };
  const state = experiment.state === "complete" ? "incomplete" : experiment.state;
  const reason = [`its row in the list of experiments is in quarantine: ${misfit}`, experiment.reason];
  return { experiment: { ...experiment, name, type, state, reason: reason.filter(Boolean).join("; ") }, units };
}

async function readAll(
  context: ExportContext,
  { selection = everything, organization, concurrency = settings.concurrency.default }: ExportOptions,
): Promise<Pick<Manifest, "experiments" | "units">> {
  const { log, progress } = context;
  const { unit: list, experiments } = await readExperiments(context);
  const { identified: chosen, misidentified } = identify(select(experiments, selection));
  log.info(`${context.projectId}: ${chosen.length} of ${experiments.length} experiments.`);
  progress.add({ experiments: chosen.length });
  const published = await readPublished(context);
  const project = readProject(context, organization, published);
  // A few experiments at a time, not all at once: the ratings and results of one are then from about the same moment,
  // and an interrupted export has finished some.
  const limit = pLimit(concurrency);
  const readOne = async (one: Identified<ListedExperiment>) => {
    const read = doubted(await resumeOrRead(context, one, published), one);
    const rows = sum(partsOf(read).map((part) => part.rows));
    progress.add({ done: 1, rows });
    log.info(`  ${one.name}: ${rows} rows, ${read.units.length} requests.`, { experiment_id: one.id, rows });
    return read;
  };
  const reading = chosen.map((one) => limit(() => readOne(one)));
  await settle(context, [project, ...reading]);
  const read = await Promise.all(reading);
  return {
    experiments: read.map(({ experiment }) => experiment),
    units: [
      misidentified.length === 0 ? list : { ...list, misidentified },
      ...published,
      ...(await project),
      ...read.flatMap((one) => one.units),
    ],
  };
}

/** Opens the resources of an export; `close` stops and releases them. */
async function openContext(
  store: LakeStore,
  checkpoint: Checkpoint,
  options: ExportOptions,
  { clock, log, onProgress }: Required<ExportEffects>,
): Promise<ExportContext & { close(): Promise<void> }> {
  const { client, projectId, lake, tables = defaultTables, sources = choices.sources.default } = options;
  const { concurrency = settings.concurrency.default, keepRaw = settings.keep_raw.default } = options;
  const previous = await openPreviousSnapshot(
    store,
    lake,
    projectId,
    { service: client.address, converter: converterId },
    log,
  );
  const recorded = previous.manifest?.raw ?? [];
  const raw = keepRaw ? createRawKeeper(store, layoutOf(projectId).raw, checkpoint.scratch, recorded) : keepNothing;
  const requests = createAdaptiveLimit(concurrency, clock);
  const sessions = createSessionPool(checkpoint.scratch);
  const scanner = createScanner();
  const ending = new AbortController();
  const progress = createProgress(onProgress);
  const tools = { client, store, checkpoint, previous, raw, requests, sessions, scanner, ending, clock, log, progress };
  return {
    ...tools,
    projectId,
    tables: withParents(tables),
    sources,
    owners: new Map(),
    async close() {
      ending.abort();
      await requests.end();
      await sessions.close();
      await raw.close();
      await scanner.close();
    },
  };
}

/** A full disk, or a folder that cannot be written, is for the user to fix: exit 3, not an internal error. */
function exportFailure(error: unknown, project: string): unknown {
  const isDisk = !(error instanceof RecountError) && /^E[A-Z]+$/.test(codeOf(error) ?? "");
  if (!isDisk && !(error instanceof QueryError)) return error;
  return new ExportError(`${project}: nothing was published: ${messageOf(error)}`, { cause: error });
}

/** Reads everything, checks it against the previous snapshot, and describes it. */
async function makeManifest(context: ExportContext, options: ExportOptions, started: number): Promise<Manifest> {
  const { store, checkpoint, previous, raw, sessions, clock, log, projectId } = context;
  const { experiments, units } = await readAll(context, options);
  checkpoint.expire();
  logNotices(units, shortfallsOf({ experiments, units }), log);
  guardShrink(previous.manifest, units, options.shrink ?? defaultShrink);
  const kept = await raw.finish(units);
  const manifest: Manifest = {
    format: manifestFormat,
    recount: version,
    snapshot: checkpoint.snapshot,
    project_id: projectId,
    service: context.client.address,
    created_at: checkpoint.created.toISOString(),
    elapsed_ms: Math.round(clock.monotonicMs() - started),
    previous: previous.manifest?.snapshot ?? null,
    selection: options.selection ?? everything,
    experiments,
    units,
    columns: columnsWritten(units),
    converter: converterId,
    ...(kept === undefined ? {} : { raw: kept }),
  };
  await checkpoint.settle();
  const tombstones = await sessions.use((warehouse) =>
    findTombstones(warehouse, store, previous.manifest, manifest, checkpoint.staged),
  );
  return tombstones === undefined ? manifest : { ...manifest, tombstones };
}

/**
 * Exports a project as one new snapshot of the lake. Either the complete snapshot is published, with every count and
 * digest in its manifest, or nothing changes. @throws ExportError, UsageError, InterruptedError.
 */
export async function exportSnapshot(options: ExportOptions, effects: ExportEffects = {}): Promise<ExportReport> {
  const { clock = systemClock, log = silentLog, onProgress = () => undefined } = effects;
  const { client, projectId, lake, selection = everything } = options;
  const { tables = defaultTables, sources = choices.sources.default } = options;
  const { keepRaw = settings.keep_raw.default } = options;
  const started = clock.monotonicMs();
  const store = openStore(lake);
  const layout = layoutOf(projectId);
  const terms = { service: client.address, selection, tables, sources, keepRaw, converter: converterId };
  const lock = await lockProject(lake, projectId, clock);
  try {
    const checkpoint = await openCheckpoint(store, layout, terms, options.resume ?? false, { clock, log });
    const context = await openContext(store, checkpoint, options, { clock, log, onProgress });
    try {
      const manifest = await makeManifest(context, options, started);
      const dir = store.locate(await publish(store, checkpoint.staged, manifest));
      const rows = sum(partsOf(manifest).map((part) => part.rows));
      const quarantined = sum(partsOf(manifest).map((part) => part.quarantined));
      const { snapshot, elapsed_ms } = manifest;
      const { bytes } = context.progress.now();
      return { snapshot, dir, manifest, rows, quarantined, shortfalls: shortfallsOf(manifest), bytes, elapsed_ms };
    } finally {
      await context.close();
      await checkpoint.close();
    }
  } catch (error) {
    throw exportFailure(error, store.locate(layout.project));
  } finally {
    await lock.release();
  }
}
