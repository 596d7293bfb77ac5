import { createAdaptiveLimit, type Client } from "../client/index.js";
import { defaultTables, type TableName } from "../contract/index.js";
import {
  columnsWritten,
  currentSnapshot,
  keptBodiesFolder,
  layoutOf,
  lockProject,
  manifestFormat,
  openStore,
  publish,
  shortfallsOf,
  type LakeStore,
  type Manifest,
  type Shortfall,
} from "../lake/index.js";
import {
  codeOf,
  ExportError,
  mapTexts,
  messageOf,
  RecountError,
  silentLog,
  systemClock,
  UsageError,
  version,
  type Clock,
  type Log,
  settings,
  choices,
} from "../platform/index.js";
import { QueryError, type Pseudonyms } from "../warehouse/index.js";
import { openCheckpoint, type Checkpoint } from "./checkpoint.js";
import type { ExportContext } from "./context.js";
import { converterId, createSessionPool } from "./convert/index.js";
import { createRawKeeper, keepNothing } from "./fetch/index.js";
import { createScanner } from "./json/index.js";
import { logNotices } from "./notices.js";
import { withParents, type SourceScope } from "./plan.js";
import { openPreviousSnapshot } from "./previous-snapshot.js";
import { createProgress, type ExportProgress } from "./progress.js";
import { readAll, type BillingAccount } from "./read/index.js";
import { everything, type Selection } from "./selection.js";
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
  /** Keep response bodies under raw/; default true. With pseudonyms none are kept. */
  readonly keepRaw?: boolean;
  /** Mask this client's credentials where the data repeat them; default false: only count them. */
  readonly maskSecrets?: boolean;
  readonly organization?: BillingAccount | undefined;
  /** Replaces what identifies persons, in everything that is written; default: nothing is replaced. */
  readonly pseudonyms?: Pseudonyms | undefined;
  /** Resume an interrupted export with the same settings; default false. */
  readonly resume?: boolean;
  /** How much a list may shrink since the previous snapshot. */
  readonly shrink?: ShrinkLimits;
  /** True if the caller holds the project's lock; default false. */
  readonly isLocked?: boolean;
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
  /** How often the bodies repeated this client's credentials. */
  readonly secrets: number;
  /** Bytes of response bodies. */
  readonly bytes: number;
  readonly elapsed_ms: number;
}

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
const partsOf = ({ units }: Pick<Manifest, "units">) => units.flatMap(({ parts }) => parts);

/** Bodies are as the service sent them: under pseudonyms none are kept. */
const keepsRaw = ({ keepRaw = settings.keep_raw.default, pseudonyms }: ExportOptions) =>
  keepRaw && pseudonyms === undefined;

/** A lake has originals or pseudonyms of one key: otherwise its snapshots could not be compared, and would tell who is who. */
function checkPseudonyms(previous: Manifest | null, pseudonyms: Pseudonyms | undefined, place: string): void {
  if (previous === null || previous.pseudonyms === pseudonyms?.keyId) return;
  const has =
    previous.pseudonyms === undefined
      ? "the original identifiers: pseudonyms need another lake"
      : `pseudonyms of the key ${previous.pseudonyms}: pseudonymise with that key, or use another lake`;
  throw new UsageError(`${place} has ${has}.`);
}

/** Opens the resources of an export; `close` stops and releases them. */
async function openContext(
  store: LakeStore,
  checkpoint: Checkpoint,
  options: ExportOptions,
  { clock, log, onProgress }: Required<ExportEffects>,
): Promise<ExportContext & { close(): Promise<void> }> {
  const { client, projectId, lake, pseudonyms } = options;
  const { tables = defaultTables, sources = choices.sources.default } = options;
  const { concurrency = settings.concurrency.default, maskSecrets = settings.mask_secrets.default } = options;
  const previous = await openPreviousSnapshot(
    store,
    lake,
    projectId,
    { service: client.address, converter: converterId(pseudonyms), maskSecrets },
    log,
  );
  const recorded = previous.manifest?.raw ?? [];
  const raw = keepsRaw(options)
    ? createRawKeeper(store, {
        ...{ projectId, scratch: checkpoint.scratch, recorded },
        ...(store.hasLinks
          ? { folder: layoutOf(projectId).raw }
          : { folder: keptBodiesFolder(checkpoint.staged), snapshot: checkpoint.snapshot }),
      })
    : keepNothing;
  const requests = createAdaptiveLimit(concurrency, clock);
  const sessions = createSessionPool(checkpoint.scratch, { pseudonyms, lake });
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
    maskSecrets,
    pseudonyms,
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
  checkPseudonyms(previous.manifest, context.pseudonyms, store.locate(layoutOf(projectId).project));
  const { experiments, units } = await readAll(context, options);
  checkpoint.allowResume(false);
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
    converter: converterId(options.pseudonyms),
    ...(options.pseudonyms === undefined ? {} : { pseudonyms: options.pseudonyms.keyId }),
    ...(kept === undefined ? {} : { raw: kept }),
  };
  await checkpoint.settle();
  const tombstones = await sessions.use((warehouse) =>
    findTombstones(warehouse, store, previous.manifest, manifest, checkpoint.staged),
  );
  return tombstones === undefined ? manifest : { ...manifest, tombstones: mapTexts(tombstones, context.client.redact) };
}

/**
 * Exports a project as one new snapshot of the lake. Either the complete snapshot is published, with every count and
 * digest in its manifest, or nothing changes. @throws ExportError, UsageError, InterruptedError.
 */
export async function exportSnapshot(options: ExportOptions, effects: ExportEffects = {}): Promise<ExportReport> {
  const { clock = systemClock, log = silentLog, onProgress = () => undefined } = effects;
  const { client, projectId, lake, selection = everything } = options;
  const { tables = defaultTables, sources = choices.sources.default } = options;
  const { maskSecrets = settings.mask_secrets.default, pseudonyms } = options;
  const started = clock.monotonicMs();
  const store = openStore(lake);
  const layout = layoutOf(projectId);
  const read = { service: client.address, selection, tables, sources };
  const terms = {
    ...read,
    format: manifestFormat,
    keepRaw: keepsRaw(options),
    maskSecrets,
    converter: converterId(pseudonyms),
  };
  /** Without links, what an interrupted export refers to is there as long as the snapshot that it continued is current. */
  const continued = async () => (store.hasLinks ? {} : { previous: await currentSnapshot(lake, projectId) });
  const lock = options.isLocked ? null : await lockProject(lake, projectId, clock);
  try {
    const checkpoint = await openCheckpoint(
      store,
      layout,
      { ...terms, ...(await continued()) },
      options.resume ?? false,
      { clock, log },
    );
    const context = await openContext(store, checkpoint, options, { clock, log, onProgress });
    try {
      const manifest = await makeManifest(context, options, started);
      checkpoint.allowResume(true);
      const dir = store.locate(await publish(store, checkpoint.staged, manifest));
      checkpoint.allowResume(false);
      const rows = sum(partsOf(manifest).map((part) => part.rows));
      const quarantined = sum(partsOf(manifest).map((part) => part.quarantined));
      const { snapshot, elapsed_ms } = manifest;
      const secrets = sum(manifest.units.map((unit) => unit.secrets?.found ?? 0));
      const { bytes } = context.progress.now();
      return {
        snapshot,
        dir,
        manifest,
        rows,
        quarantined,
        shortfalls: shortfallsOf(manifest),
        secrets,
        bytes,
        elapsed_ms,
      };
    } finally {
      await context.close();
      await checkpoint.close();
    }
  } catch (error) {
    throw exportFailure(error, store.locate(layout.project));
  } finally {
    await lock?.release();
  }
}
