import { keptBodyPath, layoutOf } from "./layout.js";
import { manifestText, type Manifest } from "./manifest.js";
import { filesOf } from "./part-files.js";
import type { LakeStore, Publication } from "./store.js";

/** The files of units and kept bodies that a snapshot has itself. */
function ownFiles({ snapshot, units, raw = [] }: Manifest): Publication["paths"] {
  const parts = units.flatMap((unit) => unit.parts).filter((part) => part.snapshot === undefined);
  const bodies = raw.filter((one) => one.snapshot === snapshot);
  return [...filesOf(parts), ...bodies.map(({ body, sha256 }) => ({ path: keptBodyPath(body), sha256 }))];
}

/** Makes a staged snapshot the current one and returns its folder: a crash at any instant leaves the old one or the new one. */
export async function publish(store: LakeStore, staged: string, manifest: Manifest): Promise<string> {
  const { project, snapshots } = layoutOf(manifest.project_id);
  const { snapshot } = manifest;
  const final = `${snapshots}/${snapshot}`;
  const paths = ownFiles(manifest);
  await store.publish({ project, name: snapshot, staged, final, paths, manifest: manifestText(manifest) });
  return final;
}
