import { keptBodyPath, layoutOf } from "./layout.js";
import type { Manifest, RawBody, Unit } from "./manifest.js";
import { manifestText, packedText } from "./manifest-text.js";
import { filesOf } from "./part-files.js";
import type { LakeStore, Publication } from "./store.js";

/** The files of units and kept bodies that a snapshot, complete or not yet, has itself. */
export function ownFiles(snapshot: string, units: readonly Unit[], raw: readonly RawBody[]): Publication["paths"] {
  const parts = units.flatMap((unit) => unit.parts).filter((part) => part.snapshot === undefined);
  const bodies = raw.filter((one) => one.snapshot === snapshot);
  return [...filesOf(parts), ...bodies.map(({ body, sha256 }) => ({ path: keptBodyPath(body), sha256 }))];
}

/** Makes a staged snapshot the current one and returns its folder: a crash at any instant leaves the old one or the new one. */
export async function publish(store: LakeStore, staged: string, manifest: Manifest): Promise<string> {
  const { project, snapshots } = layoutOf(manifest.project_id);
  const { snapshot, units, raw = [] } = manifest;
  const final = `${snapshots}/${snapshot}`;
  const paths = ownFiles(snapshot, units, raw);
  await store.publish({ project, name: snapshot, staged, final, paths, manifest: packedText(manifestText(manifest)) });
  return final;
}
