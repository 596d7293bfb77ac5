import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import {
  columnTypes,
  isPublished,
  partColumns,
  type TableName,
  tableNames,
} from "../contract/index.js";
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

/**
 * The store at a lake's address: `s3://bucket/folder`, or a local folder. A new kind of store is
 * registered here.
 */
export async function openStore(lake: string): Promise<LakeStore> {
  const address = objectAddress(lake);
  if (address === null) return createLocalStore(lake);
  const { createObjectStore } = await fromPack("objects")();
  return createObjectStore(address);
}

/**
 * Takes a project's lock, one writer per project, and removes or settles what a killed writer left.
 * @throws ExportError when another run holds it, UsageError if the lake is a project's folder.
 */
export async function lockProject(lake: string, projectId: string, clock?: Clock): Promise<Lock> {
  const store = await openStore(lake);
  if (await store.isFile(currentName)) throw await nothingIn(lake, "a project, not a lake");
  return store.lock(layoutOf(projectId).project, clock);
}

interface TableFiles {
  /** As the query engine reads them. */
  readonly files: readonly string[];
  /** Column name to DuckDB type, as the contract states them. */
  readonly columns: Readonly<Record<string, string>>;
  /** Whether all files have these columns. */
  readonly isUniform: boolean;
  /** The experiments whose folders have other names, by name of the folder. */
  readonly renamed: Readonly<Record<string, string>>;
}

/** A complete snapshot, opened for reading. */
export interface Snapshot {
  readonly id: string;
  readonly projectId: string;
  readonly manifest: Manifest;
  /** Bytes of the parts that are opened. */
  readonly bytes: number;
  /** SHA-256 of the manifest as it was written. */
  readonly manifestDigest: string;
  readonly tables: Readonly<Partial<Record<TableName, TableFiles>>>;
  /** The same of some experiments, with the tables of the project and all published numbers. */
  readonly tablesOf: (experiments: ReadonlySet<string>) => Snapshot["tables"];
  /**
   * A file of the snapshot by its path within it: its text, its digest, and its name for whoever
   * opens it.
   */
  readonly read: (path: string) => Promise<string | null>;
  readonly digest: (path: string) => Promise<Digest>;
  readonly stream: (path: string) => Promise<Readable>;
  readonly locate: (path: string) => string;
}

/**
 * The manifest of a snapshot.
 * @throws UsageError when there is none, or this version cannot read it.
 */
export async function readManifest(lake: string, projectId: string, id: string): Promise<Manifest> {
  return (await openManifest(lake, projectId, id)).manifest;
}

/** The same with the text of its file. */
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
  const manifest = await parseManifest(text);
  if (typeof manifest === "string") throw new UsageError(`${file} ${manifest}.`);
  return { manifest, text };
}

/** Identifiers of the complete snapshots of a project, oldest first. */
export async function listSnapshots(lake: string, projectId: string): Promise<string[]> {
  return (await openStore(lake)).complete(layoutOf(projectId).snapshots);
}

/** The newest complete snapshot's id; null when there is none yet. */
export async function currentSnapshot(lake: string, projectId: string): Promise<string | null> {
  return (await (await openStore(lake)).read(layoutOf(projectId).current))?.trim() ?? null;
}

/**
 * Reads a snapshot by id, or the newest one. @throws UsageError when there is none or it is
 * corrupted.
 * @param wanted the only tables to open; default: all
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
  const [odd] = await store.missing(parts.map((part) => fileKey(folder, part, part.path)));
  if (odd !== undefined)
    throw new UsageError(
      `${store.locate(odd)} is missing or not a regular file. Run \`recount verify\`.`,
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
    tablesOf: (experiments) => {
      // A list of another experiment may publish numbers of these.
      const isOf = ({ experiment_id: id, parts: own }: Manifest["units"][number]) =>
        id === null || experiments.has(id) || own.some(({ table }) => isPublished(table));
      const units = manifest.units.filter(isOf);
      return tablesIn(store, folder, { ...manifest, units }, wanted);
    },
    read: (path) => store.read(keyAt(path)),
    digest: (path) => digestIn(store, keyAt(path)),
    stream: (path) => store.stream(keyAt(path)),
    locate: (path) => store.locate(keyAt(path)),
  };
}

/**
 * Does `work` over a snapshot, by its id: the one that is named, otherwise the current one. A run
 * may prune it meanwhile; then `work` is done again over the snapshot that is current by then, with
 * a line.
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

/**
 * The files of tables of a snapshot in a folder, staged or published.
 * @param wanted the only tables; default: all
 */
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

/** Where the models recomputed from a snapshot are written: a folder or a URI. */
export async function locateDerived(
  lake: string,
  projectId: string,
  snapshot: string,
): Promise<string> {
  return (await openStore(lake)).locate(`${layoutOf(projectId).derived}/${snapshot}`);
}

/** Replaces the models of a snapshot by those that `write` writes into a folder of this machine. */
export async function makeDerived<T>(
  lake: string,
  projectId: string,
  snapshot: string,
  write: (dir: string) => Promise<T>,
): Promise<T> {
  return (await openStore(lake)).make(`${layoutOf(projectId).derived}/${snapshot}`, write);
}

/**
 * The folder of the results that runs take over from each other; null in object storage, where
 * nothing is kept.
 */
export async function locateKept(lake: string, projectId: string): Promise<string | null> {
  const folder = (await openStore(lake)).locate(`${layoutOf(projectId).derived}/${keptName}`);
  return isObject(folder) ? null : folder;
}

/**
 * A new folder of the project for what a cluster and this process read together. Nothing in it is
 * kept.
 */
export async function locateScratch(
  lake: string,
  projectId: string,
  clock: Clock = systemClock,
): Promise<string> {
  return (await openStore(lake)).locate(
    `${layoutOf(projectId).derived}/${scratchName(clock.now())}`,
  );
}

/** Folders above a wrong lake that are looked at: a project, its snapshots, one of them. */
const foldersUp = 3;

/**
 * The error that a lake has nothing to read, with the lake that was probably meant: one of whose
 * projects the folder is a part, or the folder `lake` in it.
 * @param missing what is not there
 * @param otherwise what to do if there is no other lake
 */
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

/** The projects of a lake: folders with a snapshot, even if `current` does not name it. */
export async function listProjects(lake: string): Promise<string[]> {
  const names = await namesIn(await openStore(lake), "");
  const snapshots = await Promise.all(
    names.map((name) => listSnapshots(lake, name).catch(() => [])),
  );
  return names.filter((_, i) => snapshots[i]?.length);
}

/**
 * The project asked for, or the only one of the lake.
 * @throws UsageError when there is none or several.
 */
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

/** Snapshots that a message lists. */
const shownSnapshots = 5;

/**
 * The snapshot that a person names: its identifier, the beginning of one that no other has, or
 * `latest`.
 * @throws UsageError for a name of none or of several
 */
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

/** The files of units, kept bodies and listings that a snapshot has itself. */
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

/**
 * Makes a staged snapshot the current one and returns its folder: a crash at any instant leaves the
 * old one or the new one.
 */
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
