import { earlierPlaces, places, type Places } from "./layout.js";
import type { Part } from "./manifest.js";
import type { LakeStore } from "./store.js";

interface PartFile {
  /** Within the snapshot's folder. */
  readonly path: string;
  readonly sha256: string | null;
}

/** A part with the paths that it has in these places. */
export function partIn(target: Places, part: Part, experimentId: string | null): Part {
  const { table, path, quarantine } = part;
  const own = path.startsWith(`${table}/`) ? earlierPlaces : places;
  const moved = target.part(table, experimentId, own.nameOf(path));
  return { ...part, path: moved, quarantine: quarantine === null ? null : target.quarantine(moved) };
}

/** The files of parts: their rows, and quarantined rows if there are any. */
export function filesOf(parts: readonly Part[]): PartFile[] {
  return parts.flatMap(({ path, sha256, quarantine, quarantine_sha256 }) =>
    quarantine === null
      ? [{ path, sha256 }]
      : [
          { path, sha256 },
          { path: quarantine, sha256: quarantine_sha256 },
        ],
  );
}

/** Whether every file of the parts in `folder` exists and matches its digest. */
export async function areIntact(store: LakeStore, folder: string, parts: readonly Part[]): Promise<boolean> {
  for (const { path, sha256 } of filesOf(parts)) {
    if ((await store.digest(`${folder}/${path}`).catch(() => null))?.sha256 !== sha256) return false;
  }
  return true;
}
