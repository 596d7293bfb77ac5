import { currentSnapshot, layoutOf, lockProject, openStore, publish } from "../lake/index.js";
import { codeOf, ExportError, messageOf, RecountError, silentLog, systemClock } from "../platform/index.js";
import { QueryError } from "../warehouse/index.js";
import { openCheckpoint } from "./checkpoint.js";
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

/**
 * Exports a project as one new snapshot of the lake. Either the complete snapshot is published, with every count and
 * digest in its manifest, or nothing changes. @throws ExportError, UsageError, InterruptedError.
 */
export async function exportSnapshot(options: ExportOptions, effects: ExportEffects = {}): Promise<ExportReport> {
  const { clock = systemClock, log = silentLog, onProgress = () => undefined } = effects;
  const { projectId, lake } = options;
  const started = clock.monotonicMs();
  const store = openStore(lake);
  const layout = layoutOf(projectId);
  /** What an interrupted export refers to is there as long as the snapshot that it continued is current. */
  const continued = async () => ({ previous: await currentSnapshot(lake, projectId) });
  const lock = options.isLocked ? null : await lockProject(lake, projectId, clock);
  try {
    const checkpoint = await openCheckpoint(
      store,
      layout,
      { ...termsOf(options), ...(await continued()) },
      options.resume ?? false,
      { clock, log },
    );
    const context = await openContext(store, checkpoint, options, { clock, log, onProgress });
    try {
      checkPseudonyms(context);
      const read = await readAll(context, options);
      checkpoint.allowResume(false);
      const manifest = await makeManifest(context, options, started, read, (units) => context.raw.finish(units));
      checkpoint.allowResume(true);
      const dir = store.locate(await publish(store, checkpoint.staged, manifest));
      checkpoint.allowResume(false);
      return reportOf(manifest, dir, context.progress.now().bytes);
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
