/** Opens, lists, names and publishes snapshots. */
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { columnTypes, partColumns, type TableName, tableNames } from "../contract/index.js";
import {
  cached,
  type Clock,
  didYouMean,
  type Digest,
  ExportError,
  listed,
  systemClock,
  UsageError,
  isObject,
  located,
  objectAddress,
} from "../platform/index.js";
import { fromPack } from "../packs.js";
import {
  currentName,
  isSnapshotName,
  keptBodyPath,
  keptName,
  layoutOf,
  manifestName,
  scratchName,
} from "./layout.js";
import { createLocalStore } from "./local.js";
import type { Manifest } from "./manifest-schema.js";
import {
  filesOf,
  fileKey,
  manifestText,
  parseManifest,
  renamedExperiments,
  textDigest,
} from "./manifest.js";
import { digestIn, type LakeStore, type Lock, namesIn, type Publication } from "./store.js";

export async function openStore(lake: string): Promise<LakeStore> {
  const address = objectAddress(lake);
  if (address === null) return createLocalStore(lake);
  const { createObjectStore } = await fromPack("objects")();
  return createObjectStore(address);
}

/** @throws ExportError when another run holds it, UsageError if the lake is a project's folder. */
export async function lockProject(lake: string, projectId: string, clock?: Clock): Promise<Lock> {
  const store = await openStore(lake);
  if (await store.isFile(currentName)) throw await nothingIn(lake, "a project, not a lake");
  return store.lock(layoutOf(projectId).project, clock);
}

interface TableFiles {
  readonly files: readonly string[];
  readonly columns: Readonly<Record<string, string>>;
  readonly isUniform: boolean;
  readonly renamed: Readonly<Record<string, string>>;
}

/** A complete snapshot, opened for reading. */
export interface Snapshot {
  readonly id: string;
  readonly projectId: string;
  readonly manifest: Manifest;
  /** Bytes of the parts that are opened. */
  readonly bytes: number;
  readonly manifestDigest: string;
  readonly tables: Readonly<Partial<Record<TableName, TableFiles>>>;
  /** Of what is published, those that these experiments list. */
  readonly tablesOf: (experiments: ReadonlySet<string>) => Snapshot["tables"];
  readonly read: (path: string) => Promise<string | null>;
  readonly digest: (path: string) => Promise<Digest>;
  readonly stream: (path: string) => Promise<Readable>;
  readonly locate: (path: string) => string;
}

/** @throws UsageError when there is none, or this version cannot read it. */
export async function readManifest(lake: string, projectId: string, id: string): Promise<Manifest> {
  return (await openManifest(lake, projectId, id)).manifest;
}

async function openManifest(lake: string, projectId: string, id: string) {
  const store = await openStore(lake);
  const { snapshots } = layoutOf(projectId);
  if (!isSnapshotName(id))
    throw new UsageError(
      `${store.locate(snapshots)} has no snapshot ${JSON.stringify(id.slice(0, 80))}.`,
    );
  const key = `${snapshots}/${id}/${manifestName}`;
  const file = store.locate(key);
  const text = await store.read(key);
  if (text === null) throw new UsageError(`${file} is missing: there is no complete snapshot.`);
  const manifest = parseManifest(text);
  if (typeof manifest === "string") throw new UsageError(`${file} ${manifest}.`);
  return { manifest, text };
}

/** Identifiers of the complete snapshots of a project, oldest first. */
export async function listSnapshots(lake: string, projectId: string): Promise<string[]> {
  return (await openStore(lake)).complete(layoutOf(projectId).snapshots);
}

export async function currentSnapshot(lake: string, projectId: string): Promise<string | null> {
  return (await (await openStore(lake)).read(layoutOf(projectId).current))?.trim() ?? null;
}

/**
 * @throws UsageError when there is none or its manifest is corrupted, ExportError if a wanted part
 * is not what the manifest lists
 */
export async function readSnapshot(
  lake: string,
  projectId: string,
  id?: string,
  wanted: readonly string[] = tableNames,
): Promise<Snapshot> {
  const store = await openStore(lake);
  const { project, snapshots } = layoutOf(projectId);
  const chosen =
    id === undefined
      ? await currentSnapshot(lake, projectId)
      : await namedSnapshot(lake, projectId, id);
  if (chosen === null)
    throw new UsageError(
      `${store.locate(project)}: no snapshot yet. Run \`recount export\` first.`,
    );
  const folder = `${snapshots}/${chosen}`;
  const { manifest, text } = await openManifest(lake, projectId, chosen);
  const all = manifest.units.flatMap((unit) => unit.parts);
  const parts = all.filter(({ table }) => wanted.includes(table));
  const listed = parts.map((part) => ({ ...part, key: fileKey(folder, part, part.path) }));
  const [odd] = await store.altered(listed);
  if (odd !== undefined)
    throw new ExportError(
      `${store.locate(odd.key)} is not what the manifest lists: it ${odd.says}. ` +
        "Run `recount verify`.",
    );
  const keysOf = cached(() => new Map(filesOf(all, folder).map(({ path, key }) => [path, key])));
  const keyAt = (path: string) => keysOf(manifest).get(path) ?? `${folder}/${path}`;
  return {
    id: chosen,
    projectId,
    manifest,
    bytes: parts.reduce((sum, part) => sum + part.bytes, 0),
    get manifestDigest() {
      return textDigest(text);
    },
    tables: tablesIn(store, folder, manifest, wanted),
    tablesOf: (experiments) => tablesIn(store, folder, manifestOver(manifest, experiments), wanted),
    read: (path) => store.read(keyAt(path)),
    digest: (path) => digestIn(store, keyAt(path)),
    stream: (path) => store.stream(keyAt(path)),
    locate: (path) => store.locate(keyAt(path)),
  };
}

/**
 * Does `work` over a snapshot, by default the current one, and again if a run prunes that one.
 * @throws ExportError if the named one was pruned
 */
export async function overSnapshot<T>(
  lake: string,
  projectId: string,
  named: string | undefined,
  work: (id: string | undefined) => Promise<T>,
  warn: (line: string) => void,
): Promise<T> {
  const chosen =
    named === undefined ? currentSnapshot(lake, projectId) : namedSnapshot(lake, projectId, named);
  const id = (await chosen) ?? undefined;
  try {
    return await work(id);
  } catch (error) {
    if (id === undefined || (await listSnapshots(lake, projectId)).includes(id)) throw error;
    const line = `The snapshot ${id} was pruned while it was read.`;
    if (named !== undefined && named !== "latest")
      throw new ExportError(`${line} Choose another with --snapshot: \`recount snapshots list\`.`, {
        cause: error,
      });
    if ((await currentSnapshot(lake, projectId)) === id) throw error;
    warn(`${line} Reading the current one.`);
    return overSnapshot(lake, projectId, named, work, warn);
  }
}

/** With what was read of the project and of these experiments. */
export function manifestOver(
  manifest: Manifest,
  experiments: ReadonlySet<string | null>,
): Manifest {
  const units = manifest.units.filter(
    ({ experiment_id: id }) => id === null || experiments.has(id),
  );
  return { ...manifest, units };
}

export function tablesIn(
  store: LakeStore,
  folder: string,
  manifest: Manifest,
  wanted: readonly string[] = tableNames,
): Snapshot["tables"] {
  const parts = manifest.units.flatMap((unit) => unit.parts);
  const renamed = renamedExperiments(manifest);
  const tables = tableNames.filter((table) => wanted.includes(table));
  return Object.fromEntries(
    tables.map((table) => {
      const own = parts.filter((part) => part.table === table);
      const files = own.map((part) => store.locate(fileKey(folder, part, part.path)));
      const isUniform = isDeepStrictEqual(manifest.columns[table], partColumns(table));
      return [table, { files, columns: columnTypes(table), isUniform, renamed }];
    }),
  );
}

export async function locateDerived(
  lake: string,
  projectId: string,
  snapshot: string,
): Promise<string> {
  return (await openStore(lake)).locate(`${layoutOf(projectId).derived}/${snapshot}`);
}

export async function makeDerived<T>(
  lake: string,
  projectId: string,
  snapshot: string,
  write: (dir: string) => Promise<T>,
): Promise<T> {
  return (await openStore(lake)).make(`${layoutOf(projectId).derived}/${snapshot}`, write);
}

/** Null in object storage, where nothing is kept. */
export async function locateKept(lake: string, projectId: string): Promise<string | null> {
  const folder = (await openStore(lake)).locate(`${layoutOf(projectId).derived}/${keptName}`);
  return isObject(folder) ? null : folder;
}

export async function locateScratch(
  lake: string,
  projectId: string,
  clock: Clock = systemClock,
): Promise<string> {
  return (await openStore(lake)).locate(
    `${layoutOf(projectId).derived}/${scratchName(clock.now())}`,
  );
}

const foldersUp = 3;

/** @param otherwise what to do if no other lake was probably meant */
export async function nothingIn(
  lake: string,
  missing: string,
  otherwise = "Run `recount export` or `import`, or pass --lake.",
): Promise<UsageError> {
  const projectsIn = (at: string): Promise<string[]> => listProjects(at).catch(() => []);
  const shown = (at: string) => (isObject(at) || isAbsolute(lake) ? at : relative("", at) || ".");
  let below = located(lake);
  for (let up = 0; up < foldersUp; up++) {
    const [above, name] = [dirname(below), basename(below)];
    if ((await projectsIn(above)).includes(name))
      return new UsageError(
        `${lake} is inside a lake: write --lake ${shown(above)} --project ${name}.`,
      );
    below = above;
  }
  const inner = isObject(lake) ? `${lake}/lake` : join(lake, "lake");
  const found = (await projectsIn(inner)).length > 0;
  return new UsageError(
    found
      ? `${lake}: ${missing}. Its folder lake is one: write --lake ${inner}.`
      : `${lake}: ${missing}. ${otherwise}`,
  );
}

async function listProjects(lake: string): Promise<string[]> {
  const names = await namesIn(await openStore(lake), "");
  const snapshots = await Promise.all(
    names.map((name) => listSnapshots(lake, name).catch(() => [])),
  );
  return names.filter((_, i) => snapshots[i]?.length);
}

/** @throws UsageError when there is none or several. */
export async function chooseProject(lake: string, wanted: string | undefined): Promise<string> {
  if (wanted !== undefined && (await currentSnapshot(lake, wanted)) !== null) return wanted;
  const projects = await listProjects(lake);
  const [only] = projects;
  if (only === undefined) throw await nothingIn(lake, "no snapshot in this lake");
  if (wanted !== undefined) {
    if (projects.includes(wanted)) return wanted;
    throw new UsageError(
      `${lake}: no snapshot of ${wanted} in this lake. It has ` +
        `${listed(projects)}.${didYouMean(wanted, projects)}`,
    );
  }
  if (projects.length > 1)
    throw new UsageError(
      `${lake} holds several projects (${projects.join(", ")}): pass --project.`,
    );
  return only;
}

const shownSnapshots = 5;

/** @throws UsageError for a name of none or of several */
export async function namedSnapshot(
  lake: string,
  projectId: string,
  name: string,
): Promise<string> {
  const store = await openStore(lake);
  const { snapshots } = layoutOf(projectId);
  if (isSnapshotName(name) && (await store.isFile(`${snapshots}/${name}/${manifestName}`)))
    return name;
  if (name === "latest") {
    const current = await currentSnapshot(lake, projectId);
    if (current !== null) return current;
  }
  const all = await listSnapshots(lake, projectId);
  if (all.includes(name)) return name;
  const found = all.filter((id) => id.startsWith(name));
  if (found.length === 1 && found[0] !== undefined) return found[0];
  const newest = listed((found.length > 0 ? found : all).slice(-shownSnapshots)) || "none";
  const where = store.locate(snapshots);
  if (found.length > 1)
    throw new UsageError(`${where}: several snapshots begin with ${name}: ${newest}.`);
  const shown = JSON.stringify(name.slice(0, 80));
  throw new UsageError(
    `${where} has no snapshot ${shown}.${didYouMean(name.slice(0, 80), all)} The newest: ` +
      `${newest}, or write latest.`,
  );
}

function ownFiles(manifest: Manifest): Publication["paths"] {
  const { snapshot, units, raw = [], listings = [] } = manifest;
  const parts = units.flatMap((unit) => unit.parts).filter((part) => part.snapshot === undefined);
  const bodies = raw.filter((one) => one.snapshot === snapshot);
  return [
    ...filesOf(parts),
    ...bodies.map(({ body, sha256 }) => ({ path: keptBodyPath(body), sha256 })),
    ...listings,
  ];
}

/** A crash at any instant leaves the old snapshot or the new one. Returns the new folder. */
export async function publish(
  store: LakeStore,
  staged: string,
  manifest: Manifest,
): Promise<string> {
  const { project, snapshots, current } = layoutOf(manifest.project_id);
  const { snapshot } = manifest;
  const final = `${snapshots}/${snapshot}`;
  const paths = ownFiles(manifest);
  const publication = {
    project,
    name: snapshot,
    staged,
    final,
    paths,
    manifest: manifestText(manifest),
  };
  await store.publish(publication).catch(async (error: unknown) => {
    // The last write may have taken place although it seems to have failed: its answer was lost.
    const named = await store.read(current).catch(() => null);
    if (named?.trim() !== snapshot) throw error;
  });
  return final;
}
