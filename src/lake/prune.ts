import { byText } from "../platform/index.js";
import { layoutOf, prunedName, rawName } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { lockProject, openStore } from "./open-store.js";
import { currentSnapshot, listSnapshots, readManifest } from "./snapshot.js";
import type { LakeStore } from "./store.js";

interface PruneReport {
  readonly removed: readonly string[];
  readonly kept: readonly string[];
  /** Raw bodies that no kept snapshot names. */
  readonly raw_removed: number;
}

/** A folder of models, or one that is being written: its snapshot. */
const derivedFrom = (name: string) => /^\.?(\d{8}T\d+Z-[0-9a-f]+)(\.tmp)?$/.exec(name)?.[1];

/**
 * Removes all but the newest `keep` snapshots, with the bodies and models that belong to no other. The current one
 * always stays. A snapshot is hidden before its files are removed, so that a crash never leaves a partial one; what a
 * crash leaves, the next pruning removes.
 */
export async function pruneSnapshots(
  lake: string,
  projectId: string,
  keep: number,
  store: LakeStore = openStore(lake),
): Promise<PruneReport> {
  const lock = await lockProject(lake, projectId);
  try {
    return await prune(lake, projectId, keep, store);
  } finally {
    await lock.release();
  }
}

async function prune(lake: string, projectId: string, keep: number, store: LakeStore): Promise<PruneReport> {
  const { snapshots, derived, raw } = layoutOf(projectId);
  const current = await currentSnapshot(lake, projectId);
  const manifests = new Map<string, Manifest>();
  for (const id of await listSnapshots(lake, projectId)) manifests.set(id, await readManifest(lake, projectId, id));
  const newestFirst = [...manifests].toSorted(([, a], [, b]) => byText(b.created_at, a.created_at)).map(([id]) => id);
  const removed = newestFirst
    .slice(keep)
    .reverse()
    .filter((id) => id !== current);
  for (const id of removed) {
    const hidden = `${snapshots}/${prunedName(id)}`;
    await store.rename(`${snapshots}/${id}`, hidden);
    await store.sync([snapshots]);
    await store.remove(hidden);
    manifests.delete(id);
  }
  for (const name of await store.list(derived)) {
    const id = derivedFrom(name);
    if (id !== undefined && !manifests.has(id)) await store.remove(`${derived}/${name}`);
  }
  const named = new Set(
    [...manifests.values()].flatMap((manifest) => manifest.raw ?? []).map(({ body }) => rawName(body)),
  );
  const loose = (await store.list(raw)).filter((name) => name.endsWith(rawName("")) && !named.has(name));
  for (const name of loose) await store.remove(`${raw}/${name}`);
  return { removed, kept: [...manifests.keys()], raw_removed: loose.length };
}
