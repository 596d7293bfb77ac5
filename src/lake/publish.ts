import { dirname, join } from "node:path";
import { fsp, fsyncDir, fsyncFile, makeDir, writeDurably } from "../platform/index.js";
import { layoutOf, manifestName } from "./layout.js";
import type { Manifest } from "./manifest.js";
import { filesOfPart } from "./part-files.js";
import { manifestText } from "./manifest-text.js";

/**
 * Makes a staged snapshot the current one. Its files are made durable, then the manifest, then the folder is moved
 * to its place, then `current` is replaced: a crash at any instant leaves the old snapshot or the new one.
 */
export async function publish(lake: string, staged: string, manifest: Manifest): Promise<string> {
  const { snapshots, current } = layoutOf(lake, manifest.project_id);
  const folders = new Set<string>([staged]);
  const parts = manifest.units.flatMap((unit) => unit.parts);
  for (const { path } of parts.flatMap(filesOfPart)) {
    const file = join(staged, path);
    await fsyncFile(file);
    for (let dir = dirname(file); dir.startsWith(staged); dir = dirname(dir)) folders.add(dir);
  }
  for (const dir of [...folders].toSorted((a, b) => b.length - a.length)) await fsyncDir(dir);
  await writeDurably(join(staged, manifestName), manifestText(manifest));
  await makeDir(snapshots);
  const final = join(snapshots, manifest.snapshot);
  await fsp.rename(staged, final);
  await fsyncDir(snapshots);
  await fsyncDir(dirname(staged));
  await writeDurably(current, `${manifest.snapshot}\n`);
  return final;
}
