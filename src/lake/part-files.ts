import type { Part } from "./manifest.js";
import type { LakeStore } from "./store.js";

interface PartFile {
  /** Within the snapshot's folder. */
  readonly path: string;
  readonly sha256: string | null;
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
