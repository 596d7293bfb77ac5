/** Requests to S3. */
import pLimit from "p-limit";
import { homedir } from "node:os";
import { basename, dirname, join, relative, sep } from "node:path";
import {
  createLocalStore,
  type Entry,
  foldersAbove,
  type LakeStore,
  layoutOf,
  manifestName,
  missingFile,
  otherSize,
  type Publication,
} from "../lake/index.js";
import {
  type Clock,
  ExportError,
  fsp,
  systemClock,
  temporaryFile,
  type ObjectAddress,
} from "../platform/index.js";
import { type Lease, takeLease } from "./lease.js";
import { createObjects, type Objects } from "./objects.js";

const uploadsAtOnce = 16;

/** Attempts to add a line, each refused because another run has added one meanwhile. */
const mostAppends = 100;

const heldLeases = new Map<string, Lease>();

const spoolOf = ({ bucket, prefix }: ObjectAddress) =>
  join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "recount", "s3", bucket, prefix);

const isStaged = (key: string) => /^[^/]+\/staging(\/|$)/.test(key);

const leaseKey = (folder: string) => `${folder}/.lease.json`;

const entryOfObject = (key: string, kind: "file" | "folder", bytes: number): Entry => ({
  name: basename(key),
  kind,
  bytes,
  identity: key,
  links: 1,
});

/**
 * A snapshot is complete when its manifest is there, written last, once, while the lease is held.
 * Files are never written again: a run that has lost its lease harms no snapshot.
 */
export function createObjectStore(address: ObjectAddress): LakeStore {
  const objects = createObjects(address);
  const spool = spoolOf(address);
  const local = createLocalStore(spool);
  const of = (key: string) => (isStaged(key) ? local : remote);
  const remote = remoteFiles(objects);
  return {
    spool,
    bodies: "own",
    locate: (key) => of(key).locate(key),
    read: (key) => of(key).read(key),
    stream: (key) => of(key).stream(key),
    holds: (key, sha256) => of(key).holds(key, sha256),
    isFile: (key) => of(key).isFile(key),
    altered: (files) => remote.altered(files),
    complete: (folder) => remote.complete(folder),
    entries: (folder) => of(folder).entries(folder),
    tree: (root) => remote.tree(root),
    put: (key, text) => of(key).put(key, text),
    append: (key, line) => of(key).append(key, line),
    adopt: (file, key) => local.adopt(file, key),
    link: () => Promise.resolve(false),
    remove: (key) => of(key).remove(key),
    sync: (keys) => local.sync(keys.filter(isStaged)),
    make: (folder, write) => makeFolder(objects, folder, write),
    publish: (publication) => publishObjects(objects, local, publication),
    retract: (folder, kept) => retractObjects(objects, folder, kept),
    lock: (project, clock) => lockObjects(objects, project, clock),
  };
}

function remoteFiles(objects: Objects) {
  return {
    locate: (key) => objects.uri(key),
    isFile: async (key) => (await objects.head(key)) !== null,
    async altered(files) {
      // A request for each of thousands of parts takes minutes; a list has a thousand of them.
      const folders = new Set(files.map(({ key }) => foldersAbove(key)[2] ?? ""));
      const listed = await Promise.all([...folders].map((folder) => objects.list(folder)));
      const sizes = new Map(listed.flat().map(({ key, bytes }) => [key, bytes]));
      return files.flatMap(({ key, bytes }) => {
        const found = sizes.get(key);
        if (found === undefined) return [{ key, says: missingFile }];
        return found === bytes ? [] : [{ key, says: otherSize(found, bytes) }];
      });
    },
    entries: async (folder) =>
      (await objects.names(folder)).map(({ name, bytes }) =>
        entryOfObject(`${folder}/${name}`, bytes === null ? "folder" : "file", bytes ?? 0),
      ),
    read: async (key) => (await objects.text(key))?.text ?? null,
    stream: (key) => objects.stream(key),
    holds: async (key, sha256) => (await objects.head(key))?.sha256 === sha256,
    async complete(folder) {
      const folders = (await objects.names(folder)).filter(({ bytes }) => bytes === null);
      const manifests = await Promise.all(
        folders.map(({ name }) => objects.head(`${folder}/${name}/${manifestName}`)),
      );
      // An empty manifest forbids a snapshot: see `settle`.
      return folders.flatMap(({ name }, i) => ((manifests[i]?.bytes ?? 0) > 0 ? [name] : []));
    },
    async tree(root) {
      const tree = new Map<string, Entry>();
      for (const { key, bytes } of await objects.list(root)) {
        const path = key.slice(root.length + 1);
        for (const folder of foldersAbove(path))
          tree.set(folder, entryOfObject(`${root}/${folder}`, "folder", 0));
        tree.set(path, entryOfObject(key, "file", bytes));
      }
      return tree;
    },
    async put(key, text) {
      await objects.put(key, text);
    },
    async append(key, line) {
      for (let attempt = 0; attempt < mostAppends; attempt++) {
        const found = await objects.text(key);
        if ((await objects.put(key, `${found?.text ?? ""}${line}\n`, found?.tag ?? null)) !== null)
          return;
      }
      throw new ExportError(
        `${objects.uri(key)}: ${mostAppends} attempts to add a line were refused`,
      );
    },
    remove: (key) => objects.removeAll(key),
  } satisfies Partial<LakeStore>;
}

async function lockObjects(objects: Objects, project: string, clock?: Clock) {
  const key = leaseKey(project);
  const name = objects.uri(key);
  if (heldLeases.has(name)) throw new ExportError(`${name} is held by this process.`);
  const lease = await takeLease(
    objects,
    key,
    (manifest) => settleManifest(objects, project, manifest),
    clock,
  );
  heldLeases.set(name, lease);
  return {
    async release() {
      heldLeases.delete(name);
      await lease.release();
    },
  };
}

/** Afterwards the manifest is there and named, or an empty object keeps its holder from writing. */
async function settleManifest(objects: Objects, project: string, manifest: string): Promise<void> {
  if ((await objects.put(manifest, "", null)) !== null) return;
  const id = basename(dirname(manifest));
  const { current } = layoutOf(project);
  const named = await objects.text(current);
  if (named === null || named.text.trim() < id)
    await objects.put(current, `${id}\n`, named?.tag ?? null);
}

/** After the first failure it begins no other, and waits for those in progress. */
async function forEach<T>(items: readonly T[], act: (item: T) => Promise<unknown>): Promise<void> {
  const failures: Error[] = [];
  await pLimit(uploadsAtOnce).map(items, async (item) => {
    if (failures.length === 0)
      await act(item).catch((error: unknown) => failures.push(error as Error));
  });
  if (failures[0] !== undefined) throw failures[0];
}

async function sendFile(
  objects: Objects,
  local: LakeStore,
  staged: string,
  final: string,
  paths: Publication["paths"],
): Promise<void> {
  await forEach(paths, async ({ path, sha256 }) => {
    const key = `${final}/${path}`;
    const sent = await objects.upload(local.locate(`${staged}/${path}`), key);
    if (sent.sha256 !== sha256)
      throw new ExportError(
        `${objects.uri(key)}: the file changed after it was made. Run the export again.`,
      );
  });
}

async function publishObjects(
  objects: Objects,
  local: LakeStore,
  { project, staged, final, paths, manifest, name }: Publication,
): Promise<void> {
  const lease = heldLeases.get(objects.uri(leaseKey(project)));
  if (lease === undefined) throw new Error(`${objects.uri(project)} is written without its lock`);
  await sendFile(objects, local, staged, final, paths);
  const { current } = layoutOf(project);
  // Read before the manifest is announced: if another run settles it meanwhile, `current` is no
  // longer as it was.
  const before = await objects.text(current);
  const key = `${final}/${manifestName}`;
  await lease.publish(key, async () => {
    if ((await objects.put(key, manifest, null)) === null)
      throw new ExportError(
        `${objects.uri(key)}: another run has taken over. Nothing was published.`,
      );
    await objects.put(current, `${name}\n`, before?.tag ?? null);
  });
}

async function retractObjects(
  objects: Objects,
  folder: string,
  kept: ReadonlySet<string>,
): Promise<void> {
  const found = await objects.list(folder);
  const manifest = `${folder}/${manifestName}`;
  if (found.some(({ key, bytes }) => key === manifest && bytes > 0))
    await objects.remove([manifest]);
  await objects.remove(
    found.map(({ key }) => key).filter((key) => key !== manifest && !kept.has(key)),
  );
}

/** Who else makes files of that folder waits, so that those of one stay. */
async function makeFolder<T>(
  objects: Objects,
  folder: string,
  write: (dir: string) => Promise<T>,
): Promise<T> {
  return temporaryFile("recount-models", async (dir) => {
    const made = await write(dir);
    const lease = await takeLease(
      objects,
      leaseKey(dirname(folder)),
      () => Promise.resolve(),
      systemClock,
      true,
    );
    try {
      const names = (await fsp.readdir(dir, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(dir, join(parentPath, name)).split(sep).join("/"));
      const before = await objects.list(folder);
      // The database last: whoever finds a new one finds the tables that it was written with.
      const isDatabase = (name: string) => name.endsWith(".duckdb");
      for (const some of [names.filter((name) => !isDatabase(name)), names.filter(isDatabase)])
        await forEach(some, (name) => objects.upload(join(dir, name), `${folder}/${name}`));
      await objects.remove(
        before.map(({ key }) => key).filter((key) => !names.includes(key.slice(folder.length + 1))),
      );
    } finally {
      await lease.release();
    }
    return made;
  });
}

export const removeObjects = (address: ObjectAddress): Promise<void> =>
  createObjects(address).removeAll("");
