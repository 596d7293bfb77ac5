import { counted, ExportError, UsageError } from "../platform/index.js";
import { earlierPlaces, isEarlier, layoutOf, manifestName, places, type Places } from "./layout.js";
import type { ManifestFile } from "./manifest-file.js";
import { packedText } from "./manifest-text.js";
import type { Manifest } from "./manifest.js";
import { lockProject, openStore } from "./open-store.js";
import { filesOf, partIn } from "./part-files.js";
import { listSnapshots, openManifest } from "./snapshot.js";
import type { LakeStore } from "./store.js";
import { measureProject } from "./usage.js";
import { verifyProject } from "./verify/verify.js";

/** What a migration did with a project, or would do. */
export interface Migration {
  readonly project: string;
  /** All snapshots, oldest first. */
  readonly snapshots: readonly {
    readonly snapshot: string;
    /** In which it was written. */
    readonly format: number;
    readonly files: number;
    /** False if it has the present layout already. */
    readonly is_migrated: boolean;
  }[];
  /** Without recount.duckdb, which `recount transform` writes again. */
  readonly freed_bytes: number;
}

interface MigrateOptions {
  /** Only says what would be migrated. */
  readonly isDryRun?: boolean;
  readonly store?: LakeStore;
}

/** A snapshot of an earlier format, with its folder. */
interface Old extends ManifestFile {
  readonly folder: string;
}

/**
 * Gives the snapshots of earlier formats the layout of the present one: files move, no byte of a part, a body or a manifest's
 * text changes. A snapshot has its files by both names until its manifest is replaced at once, so that each moment has
 * whole snapshots; what a kill leaves, the next migration removes.
 * @throws UsageError if a manifest is unreadable or of a later format, ExportError if the lake does not verify.
 */
export async function migrateProject(
  lake: string,
  projectId: string,
  { isDryRun = false, store = openStore(lake) }: MigrateOptions = {},
): Promise<Migration> {
  const lock = isDryRun ? null : await lockProject(lake, projectId);
  try {
    const old: Old[] = [];
    const snapshots: Migration["snapshots"][number][] = [];
    for (const id of await listSnapshots(lake, projectId)) {
      const file = await openManifest(lake, projectId, id);
      const { format } = file.manifest;
      const isOld = isEarlier(format);
      if (isOld) old.push({ ...file, folder: `${layoutOf(projectId).snapshots}/${id}` });
      snapshots.push({
        snapshot: id,
        format,
        files: namesIn(file.manifest, places).length,
        is_migrated: isOld && !file.isPacked,
      });
    }
    if (old.length > 0 && store.bodies !== "shared")
      throw new UsageError(
        `${store.locate(projectId)}: an earlier format is migrated in a folder. Copy it there and back.`,
      );
    const freed_bytes = isDryRun || old.length === 0 ? 0 : await migrate(lake, projectId, old, store);
    return { project: projectId, snapshots, freed_bytes };
  } finally {
    await lock?.release();
  }
}

/** The paths of a snapshot's files in these places, always in the same order. */
const namesIn = ({ units }: Manifest, target: Places) =>
  filesOf(units.flatMap((unit) => unit.parts.map((part) => partIn(target, part, unit.experiment_id)))).map(
    ({ path }) => path,
  );

/** Returns the bytes that are free afterwards. */
async function migrate(lake: string, projectId: string, old: readonly Old[], store: LakeStore): Promise<number> {
  const size = async () =>
    (await measureProject(lake, projectId)).places
      .filter(({ place }) => place !== "models")
      .reduce((sum, { unique_bytes }) => sum + unique_bytes, 0);
  const before = await size();
  await check(lake, projectId, "Nothing was migrated.");
  for (const one of old.filter(({ isPacked }) => !isPacked)) await place(store, projectId, one);
  await check(lake, projectId, "The files are still there by their earlier names.");
  for (const one of old) await clean(store, projectId, one);
  return before - (await size());
}

/** @throws ExportError when the project does not verify. */
async function check(lake: string, projectId: string, consequence: string): Promise<void> {
  const { problems } = await verifyProject(lake, projectId);
  const [first] = problems;
  if (first === undefined) return;
  throw new ExportError(
    `${projectId} does not verify: ${counted(problems.length, "problem")}, ${first.file}: ${first.problem}. ${consequence} Run \`recount verify\`.`,
  );
}

/** Gives the files of a snapshot their present names too, then replaces the manifest by one that is packed. */
async function place(store: LakeStore, projectId: string, { manifest, text, folder }: Old): Promise<void> {
  const { staging } = layoutOf(projectId);
  const names = namesIn(manifest, places);
  for (const [i, from] of namesIn(manifest, earlierPlaces).entries())
    await store.link(`${folder}/${from}`, `${folder}/${names[i] ?? ""}`);
  const folders = new Set(names.map((name) => (name.includes("/") ? `${folder}/${name.split("/")[0] ?? ""}` : folder)));
  await store.sync([...names.map((name) => `${folder}/${name}`), ...folders, folder]);
  await store.put(`${staging}/${manifestName}`, packedText(text));
  await store.rename(`${staging}/${manifestName}`, `${folder}/${manifestName}`);
  await store.sync([folder]);
}

/** Removes the earlier names of a snapshot's files, and before them recount.duckdb, whose views read these. */
async function clean(store: LakeStore, projectId: string, { manifest, folder }: Old): Promise<void> {
  const earlier = new Set(namesIn(manifest, earlierPlaces).map((name) => name.split("/")[0] ?? ""));
  const left = (await store.list(folder)).filter((name) => earlier.has(name));
  if (left.length > 0) await store.remove(`${layoutOf(projectId).derived}/${manifest.snapshot}/recount.duckdb`);
  for (const name of left) await store.remove(`${folder}/${name}`);
}
