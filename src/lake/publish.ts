import { posix } from "node:path";
import { layoutOf, manifestName } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { manifestText, packedText } from "./manifest-text.js";
import { filesOf } from "./part-files.js";
import type { LakeStore } from "./store.js";

/**
 * Makes a staged snapshot the current one and returns its folder. Makes its files durable, then writes the manifest,
 * then renames the folder, then replaces `current`: a crash at any instant leaves the old snapshot or the new one.
 */
export async function publish(store: LakeStore, staged: string, manifest: Manifest): Promise<string> {
  const { snapshots, staging, current } = layoutOf(manifest.project_id);
  const files = filesOf(manifest.units.flatMap(({ parts }) => parts)).map(({ path }) => `${staged}/${path}`);
  const folders = new Set([staged]);
  for (const file of files) {
    for (let folder = posix.dirname(file); folder.startsWith(staged); folder = posix.dirname(folder))
      folders.add(folder);
  }
  await store.sync([...files, ...[...folders].toSorted((a, b) => b.length - a.length)]);
  await store.put(`${staged}/${manifestName}`, packedText(manifestText(manifest)));
  const final = `${snapshots}/${manifest.snapshot}`;
  await store.rename(staged, final);
  await store.sync([snapshots, staging]);
  await store.put(current, `${manifest.snapshot}\n`);
  return final;
}
