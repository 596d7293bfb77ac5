/** A new snapshot, made and published under the lock of its project. */
import type { OperationName, TableName } from "../contract/index.js";
import {
  currentSnapshot,
  layoutOf,
  lockProject,
  openStore,
  publish,
  type LakeStore,
  type Manifest,
  type Unit,
  places,
  type Part,
} from "../lake/index.js";
import { withoutSecrets } from "../client/index.js";
import {
  codeOf,
  ExportError,
  QueryError,
  messageOf,
  RecountError,
  silentLog,
  systemClock,
  digestOf,
  fsp,
  InterruptedError,
  type Digest,
} from "../platform/index.js";
import { addPseudonyms, openWarehouse, type Warehouse } from "../warehouse/index.js";
import { openCheckpoint, type Checkpoint, type ExportTerms } from "./checkpoint.js";
import { checkPseudonyms, openContext, termsOf } from "./context.js";
import { writeElementLines } from "./elements.js";
import { makeManifest, reportOf } from "./manifest.js";
import type { ExportEffects, ExportOptions, ExportReport } from "./options.js";
import {
  converterId,
  keptText,
  lineElements,
  makePart,
  partTarget,
  storePart,
  writeRows,
} from "./part.js";
import { openPreviousSnapshot } from "./previous-snapshot.js";
import { readAll } from "./read.js";

/** The user can fix a full disk, or a folder that cannot be written: exit 3. */
function exportFailure(error: unknown, project: string): unknown {
  const isDisk = !(error instanceof RecountError) && /^E[A-Z]+$/.test(codeOf(error) ?? "");
  if (!isDisk && !(error instanceof QueryError)) return error;
  return new ExportError(`${project}: nothing was published: ${messageOf(error)}`, {
    cause: error,
  });
}

export interface Making {
  readonly store: LakeStore;
  readonly checkpoint: Checkpoint;
  /** In ms of the monotonic clock. */
  readonly started: number;
}

interface Made {
  readonly manifest: Manifest;
  readonly bytes: number;
}

/**
 * Either the complete snapshot is published, with every count and digest in its manifest, or
 * nothing changes. @throws ExportError, UsageError, InterruptedError.
 */
async function makeSnapshot(
  { lake, projectId, terms, resume = false, isLocked = false }: SnapshotTerms,
  { clock, log }: Pick<Required<ExportEffects>, "clock" | "log">,
  make: (making: Making) => Promise<Made>,
): Promise<ExportReport> {
  const started = clock.monotonicMs();
  const store = await openStore(lake);
  const layout = layoutOf(projectId);
  const lock = isLocked ? null : await lockProject(lake, projectId, clock);
  try {
    // What an interrupted export refers to exists while the snapshot before it is current.
    const previous = await currentSnapshot(lake, projectId);
    const checkpoint = await openCheckpoint(store, layout, { ...terms, previous }, resume, {
      clock,
      log,
    });
    try {
      const { manifest, bytes } = await make({ store, checkpoint, started });
      checkpoint.allowResume(true);
      const dir = store.locate(await publish(store, checkpoint.staged, manifest));
      checkpoint.allowResume(false);
      return reportOf(manifest, dir, bytes);
    } finally {
      await checkpoint.close();
    }
  } catch (error) {
    throw exportFailure(error, store.locate(layout.project));
  } finally {
    await lock?.release();
  }
}

interface SnapshotTerms extends Pick<ExportOptions, "lake" | "projectId" | "resume" | "isLocked"> {
  readonly terms: ExportTerms;
}

export async function exportSnapshot(
  options: ExportOptions,
  effects: ExportEffects = {},
): Promise<ExportReport> {
  const { clock = systemClock, log = silentLog, onProgress = () => undefined } = effects;
  return makeSnapshot(
    { ...options, terms: termsOf(options) },
    { clock, log },
    async ({ store, checkpoint, started }) => {
      const context = await openContext(store, checkpoint, options, { clock, log, onProgress });
      try {
        checkPseudonyms(context);
        const read = await readAll(context, options);
        checkpoint.allowResume(false);
        const keep = (units: readonly Unit[]) => context.raw.finish(units);
        const { client } = context;
        const origin = { ...options, started, service: client.address, redact: client.redact };
        return {
          manifest: await makeManifest(context, origin, read, keep),
          bytes: context.progress.now().bytes,
        };
      } finally {
        await context.close();
      }
    },
  );
}

interface RowsOf {
  readonly operation: OperationName;
  readonly table: TableName;
  /** Null for a table of the project. */
  readonly experimentId: string | null;
}

interface Misfits {
  readonly count: number;
  readonly reasons: readonly string[];
  /** @param textOf SQL for what quarantine keeps of a record's text */
  readonly lines: (textOf: (json: string) => string) => AsyncIterable<string>;
}

export interface RowWriter {
  readonly warehouse: Warehouse;
  readonly scratchFile: () => string;
  readonly previous: Manifest | null;
  /** If all units of the previous snapshot were made from the same bytes and are intact. */
  readonly reuse: () => Promise<Unit[] | undefined>;
  readonly writeRows: (of: RowsOf, sql: string, misfits?: Misfits) => Promise<Unit>;
  readonly writeRecords: (of: RowsOf, records: readonly object[]) => Promise<Unit>;
  /** As `sql/extract/elements.sql` has them. */
  readonly elementsOf: (file: string, form: "list" | "lines") => Promise<string>;
}

export interface RowsOptions extends Pick<
  ExportOptions,
  "lake" | "projectId" | "pseudonyms" | "shrink" | "isLocked"
> {
  readonly service: string;
  readonly from: Digest;
}

export const createElementsOf =
  (scratchFile: () => string): RowWriter["elementsOf"] =>
  async (file, form) => {
    const lines = `${scratchFile()}.lines`;
    await writeElementLines(file, lines, form);
    return lineElements(lines);
  };

/** Of rows that no service gave. @throws as `exportSnapshot`. */
export async function snapshotOfRows(
  options: RowsOptions,
  {
    clock = systemClock,
    log = silentLog,
    signal,
  }: ExportEffects & { readonly signal?: AbortSignal | undefined },
  read: (writer: RowWriter) => Promise<Pick<Manifest, "experiments" | "units" | "imported">>,
): Promise<ExportReport> {
  const { lake, projectId, pseudonyms, service, from } = options;
  return makeSnapshot(
    { ...options, terms: { service } },
    { clock, log },
    async ({ store, checkpoint, started }) => {
      const own = { service, converter: converterId(pseudonyms), maskSecrets: false };
      const previous = await openPreviousSnapshot(store, lake, projectId, own, log);
      checkPseudonyms({ store, previous, projectId, pseudonyms });
      const warehouse = await openWarehouse({
        sources: {},
        isPartial: true,
        lake,
        bytes: from.bytes,
        spill: checkpoint.scratch,
      });
      const sessions = {
        use: <T>(task: (one: Warehouse) => Promise<T>) => task(warehouse),
        close: () => Promise.resolve(),
      };
      const stop = () => warehouse.interrupt();
      const checkStopped = () => {
        if (signal?.aborted) throw new InterruptedError();
      };
      signal?.addEventListener("abort", stop);
      const context = {
        store,
        checkpoint,
        previous,
        sessions,
        redact: withoutSecrets,
        pseudonyms,
        projectId,
        clock,
        log,
      };
      const unitOf = (
        { operation, experimentId }: RowsOf,
        elements: number,
        parts: Part[],
      ): Unit => ({
        operation,
        experiment_id: experimentId,
        parameters: {},
        state: "complete",
        status: 200,
        attempts: 1,
        started_at: clock.now().toISOString(),
        elapsed_ms: 0,
        etag: null,
        body: from,
        elements,
        parts,
      });
      try {
        if (pseudonyms !== undefined) addPseudonyms(warehouse, pseudonyms);
        const made = await read({
          warehouse: {
            ...warehouse,
            all(sql) {
              checkStopped();
              return warehouse.all(sql);
            },
          },
          scratchFile: () => checkpoint.scratchFile(),
          previous: previous.manifest,
          async reuse() {
            const units = previous.manifest?.units ?? [];
            for (const { operation, experiment_id, parameters, parts } of units) {
              const paths = parts.map(({ path }) => path);
              const known = previous.unit({ operation, experiment_id, parameters }, paths);
              if (known?.body?.sha256 !== from.sha256 || !(await previous.isIntact(known.parts)))
                return undefined;
            }
            return Promise.all(
              units.map(async (unit) => ({
                ...unit,
                parts: await previous.reuse(unit.parts, checkpoint.staged),
              })),
            );
          },
          async writeRows(of, sql, misfits) {
            checkStopped();
            const target = partTarget(context, of.table);
            const { file, quarantine } = target;
            const rows = await writeRows(warehouse, sql, target);
            if (misfits !== undefined)
              await fsp.writeFile(
                quarantine,
                misfits.lines((json) => keptText(json, target)),
              );
            const quarantined = misfits?.count ?? 0;
            const part = await storePart(context, places.part(of.table, of.experimentId), target, {
              rows,
              quarantined,
              ...(misfits && { reasons: misfits.reasons }),
              unknown_fields: {},
              reader: "judged",
              ...(await digestOf(file)),
            });
            return unitOf(of, rows + quarantined, [part]);
          },
          async writeRecords(of, records) {
            const file = checkpoint.scratchFile();
            await fsp.writeFile(file, JSON.stringify(records));
            const { part } = await makePart(context, { file, form: "list" }, of);
            return unitOf(of, records.length, [{ ...part, unknown_fields: {} }]);
          },
          elementsOf: createElementsOf(() => checkpoint.scratchFile()),
        });
        const manifest = await makeManifest(
          context,
          { ...options, redact: withoutSecrets, started },
          made,
        );
        checkStopped();
        return { manifest, bytes: from.bytes };
      } catch (error) {
        throw signal?.aborted ? new InterruptedError(undefined, { cause: error }) : error;
      } finally {
        signal?.removeEventListener("abort", stop);
        warehouse.close();
      }
    },
  );
}
