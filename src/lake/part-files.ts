import { posix } from "node:path";
import { keptBodiesFolder, keptBodyPath, layoutOf, rawName } from "./layout.js";
import type { Manifest, Part, RawBody } from "./manifest.js";
import type { LakeStore } from "./store.js";

interface PartFile {
  /** Within the snapshot's folder. */
  readonly path: string;
  readonly key: string;
  readonly sha256: string | null;
}

/** The key of a file of a part, by its path within the folder of the snapshot, staged or published. */
export function keyOf(folder: string, { snapshot }: Pick<Part, "snapshot">, path: string): string {
  const home = snapshot === undefined ? folder : posix.join(folder, "../../snapshots", snapshot);
  return `${home}/${path}`;
}

/** The folder for the bodies that a new snapshot keeps, and the snapshot that has it, if not all share one. */
export function bodiesOf(
  { bodies }: LakeStore,
  projectId: string,
  { snapshot, staged }: { readonly snapshot: string; readonly staged: string },
): { readonly folder: string; readonly snapshot?: string } {
  return bodies === "shared" ? { folder: layoutOf(projectId).raw } : { folder: keptBodiesFolder(staged), snapshot };
}

/** The key of a kept body. */
export function bodyKey(projectId: string, { body, snapshot }: Pick<RawBody, "body" | "snapshot">): string {
  const { raw, snapshots } = layoutOf(projectId);
  return snapshot === undefined ? `${raw}/${rawName(body)}` : `${snapshots}/${snapshot}/${keptBodyPath(body)}`;
}

/** The files of parts of the snapshot in `folder`: their rows, and quarantined rows if there are any. */
export function filesOf(parts: readonly Part[], folder = ""): PartFile[] {
  return parts.flatMap((part) => {
    const { path, sha256, quarantine, quarantine_sha256 } = part;
    const rows = { path, sha256, key: keyOf(folder, part, path) };
    if (quarantine === null) return [rows];
    return [rows, { path: quarantine, sha256: quarantine_sha256, key: keyOf(folder, part, quarantine) }];
  });
}

/** The keys of all files that a manifest names, its own excepted. */
export function namedKeys(projectId: string, { snapshot, units, raw = [] }: Manifest): string[] {
  const folder = `${layoutOf(projectId).snapshots}/${snapshot}`;
  const files = filesOf(
    units.flatMap(({ parts }) => parts),
    folder,
  );
  return [...files.map(({ key }) => key), ...raw.map((one) => bodyKey(projectId, one))];
}

/** Whether every file of the parts in `folder` exists and matches its digest. */
export async function areIntact(store: LakeStore, folder: string, parts: readonly Part[]): Promise<boolean> {
  for (const { key, sha256 } of filesOf(parts, folder)) if (!(await store.holds(key, sha256))) return false;
  return true;
}
