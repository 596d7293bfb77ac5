import { keptBodyPath, layoutOf } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { manifestText, packedText } from "./manifest-text.js";
import { filesOf } from "./part-files.js";
import type { LakeStore } from "./store.js";

/** Makes a staged snapshot the current one and returns its folder: a crash at any instant leaves the old one or the new one. */
export async function publish(store: LakeStore, staged: string, manifest: Manifest): Promise<string> {
  const { project, snapshots } = layoutOf(manifest.project_id);
  const { snapshot, units, raw = [] } = manifest;
  const final = `${snapshots}/${snapshot}`;
  const parts = units.flatMap((unit) => unit.parts).filter((part) => part.snapshot === undefined);
  const bodies = raw
    .filter((one) => one.snapshot === snapshot)
    .map(({ body, sha256 }) => ({ path: keptBodyPath(body), sha256 }));
  const paths = [...filesOf(parts, staged), ...bodies];
  await store.publish({ project, name: snapshot, staged, final, paths, manifest: packedText(manifestText(manifest)) });
  return final;
}
