import {
  currentSnapshot,
  layoutOf,
  lockProject,
  openStore,
  publish,
  type LakeStore,
  type Manifest,
  type Unit,
} from "../lake/index.js";
import { codeOf, ExportError, messageOf, RecountError, silentLog, systemClock } from "../platform/index.js";
import { QueryError } from "../warehouse/index.js";
import { openCheckpoint, type Checkpoint, type ExportTerms } from "./checkpoint.js";
import { checkPseudonyms, openContext, termsOf } from "./context.js";
import { makeManifest, reportOf } from "./manifest.js";
import type { ExportEffects, ExportOptions, ExportReport } from "./options.js";
import { readAll } from "./read.js";

/** A full disk, or a folder that cannot be written, is for the user to fix: exit 3, not an internal error. */
function exportFailure(error: unknown, project: string): unknown {
  const isDisk = !(error instanceof RecountError) && /^E[A-Z]+$/.test(codeOf(error) ?? "");
  if (!isDisk && !(error instanceof QueryError)) return error;
  return new ExportError(`${project}: nothing was published: ${messageOf(error)}`, { cause: error });
}

/** A snapshot that is being made, and where its files are staged. */
export interface Making {
  readonly store: LakeStore;
  readonly checkpoint: Checkpoint;
  /** In ms of the monotonic clock. */
  readonly started: number;
}

/** What is published, and the bytes that were read for it. */
interface Made {
  readonly manifest: Manifest;
  readonly bytes: number;
}

/**
 * Publishes one new snapshot that `make` stages, while it holds the project's lock. Either the complete snapshot is
 * published, with every count and digest in its manifest, or nothing changes. @throws ExportError, UsageError, InterruptedError.
 */
export async function makeSnapshot(
  { lake, projectId, terms, resume = false, isLocked = false }: SnapshotTerms,
  { clock, log }: Pick<Required<ExportEffects>, "clock" | "log">,
  make: (making: Making) => Promise<Made>,
): Promise<ExportReport> {
  const started = clock.monotonicMs();
  const store = openStore(lake);
  const layout = layoutOf(projectId);
  const lock = isLocked ? null : await lockProject(lake, projectId, clock);
  try {
    // What an interrupted export refers to is there as long as the snapshot that it continued is current.
    const previous = await currentSnapshot(lake, projectId);
    const checkpoint = await openCheckpoint(store, layout, { ...terms, previous }, resume, { clock, log });
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

/** Exports a project as one new snapshot of the lake. @throws as `makeSnapshot` */
export async function exportSnapshot(options: ExportOptions, effects: ExportEffects = {}): Promise<ExportReport> {
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
        return { manifest: await makeManifest(context, origin, read, keep), bytes: context.progress.now().bytes };
      } finally {
        await context.close();
      }
    },
  );
}
