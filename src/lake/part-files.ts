import { join } from "node:path";
import { digestOf } from "./digest.js";
import type { Part } from "./manifest.js";

export interface PartFile {
  /** Within the snapshot's folder. */
  readonly path: string;
  readonly sha256: string | null;
}

/** The files of a part: its rows, and those in quarantine where there are any. */
export function filesOfPart({ path, sha256, quarantine, quarantine_sha256 }: Part): PartFile[] {
  return quarantine === null
    ? [{ path, sha256 }]
    : [
        { path, sha256 },
        { path: quarantine, sha256: quarantine_sha256 },
      ];
}

/** Whether every file in `dir` is there and as it was written. */
export async function areSound(dir: string, files: readonly PartFile[]): Promise<boolean> {
  for (const { path, sha256 } of files) {
    if ((await digestOf(join(dir, path)).catch(() => null))?.sha256 !== sha256) return false;
  }
  return true;
}
