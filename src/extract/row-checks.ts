/** The data checks of rows, which a snapshot passes before it is published. */
import { isDeepStrictEqual } from "node:util";
import { diffManifests, manifestOver, tablesIn, type Manifest } from "../lake/index.js";
import { ExportError, messageOf, systemCodeOf, UsageError, version } from "../platform/index.js";
import { checkRows, checkTables } from "../warehouse/index.js";
import type { ExportContext } from "./context.js";
import { isOutOfMemory } from "./part.js";

export async function checkStaged(
  {
    store,
    checkpoint,
    previous,
    sessions,
  }: Pick<ExportContext, "store" | "checkpoint" | "previous" | "sessions">,
  manifest: Manifest,
): Promise<NonNullable<Manifest["checks"]>> {
  const before = previous.manifest;
  const known = before?.recount === version ? before.checks : undefined;
  const differing = before === null ? [] : diffManifests(before, manifest).changed;
  const changed = new Set(differing.map((part) => part.experiment_id));
  if (known && changed.size === 0) return known;
  // No check looks beyond an experiment: only those that changed can fail where none did.
  const isPartial =
    known?.every(({ rows }) => rows === 0) &&
    !changed.has(null) &&
    isDeepStrictEqual(before?.columns, manifest.columns);
  const checked = isPartial ? manifestOver(manifest, changed) : manifest;
  const all = tablesIn(store, checkpoint.staged, manifest);
  const sources = tablesIn(store, checkpoint.staged, checked);
  const { scratch: spill } = checkpoint;
  try {
    return await sessions
      .use(async (warehouse) => checkRows(await warehouse.over(sources), all))
      .catch((error: unknown) => {
        if (!isOutOfMemory(error)) throw error;
        return checkTables({ sources, spill }, all);
      });
  } catch (error) {
    // Parts of earlier snapshots may be in object storage, which fails now and then.
    if (!(error instanceof UsageError) && systemCodeOf(error) === undefined) throw error;
    throw new ExportError(`${manifest.project_id}: nothing was published: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
