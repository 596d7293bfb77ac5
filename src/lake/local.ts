/** A lake in a local folder: hard links for equal files, fsync, and the lock of a DuckDB file. */
import pLimit from "p-limit";
import { hostname } from "node:os";
import { dirname, join, posix } from "node:path";
import type { DuckDBInstance } from "@duckdb/node-api";
import {
  type Clock,
  codeOf,
  digestOf,
  duckdb,
  ExportError,
  fileMode,
  fs,
  fsp,
  fsyncDir,
  fsyncFile,
  makeDir,
  messageOf,
  UsageError,
  randomHex,
  readText,
  regularFile,
  systemClock,
  writeDurably,
  unlessMissing,
  enginePath,
} from "../platform/index.js";
import { foldersAbove, isLeftover, layoutOf, manifestName, prunedName } from "./layout.js";
import {
  type AlteredFile,
  type Entry,
  type LakeStore,
  type ListedFile,
  type Lock,
  missingFile,
  namesIn,
  otherSize,
  type Publication,
  readTree,
} from "./store.js";

const concurrentSyncs = 8;

function entryOfFile(name: string, stats: fs.Stats): Entry {
  const kinds = { file: stats.isFile(), folder: stats.isDirectory(), link: stats.isSymbolicLink() };
  const [kind = "device or pipe"] = (["file", "folder", "link"] as const).filter(
    (one) => kinds[one],
  );
  return {
    name,
    kind,
    bytes: stats.size,
    identity: `${stats.dev}:${stats.ino}`,
    links: stats.nlink,
  };
}

type PathOf = (key: string) => string;

/** No link, device or pipe: reading those leaves the lake, or never ends. */
const ownFile = { look: fs.lstatSync, advice: " Run `recount verify`." };

function localReads(at: PathOf) {
  const regular = (key: string) => regularFile(at(key), ownFile);
  const isFile = (key: string) =>
    regular(key).then(
      () => true,
      () => false,
    );
  const names = async (folder: string) =>
    (await unlessMissing(fsp.readdir(at(folder)), [])).toSorted();
  const entries = async (folder: string) => {
    const found = (await names(folder)).map(async (name) => {
      const stats = await unlessMissing(fsp.lstat(join(at(folder), name)), null);
      return stats === null ? [] : [entryOfFile(name, stats)];
    });
    return (await Promise.all(found)).flat();
  };
  return {
    read: (key) => unlessMissing(regular(key).then(readText), null),
    stream: async (key) => fs.createReadStream(await regular(key), { highWaterMark: 1 << 18 }),
    async holds(key, sha256) {
      const found = await digestOf(at(key), ownFile).catch(() => null);
      return found?.sha256 === sha256;
    },
    isFile,
    async altered(files) {
      const oneByOne = pLimit(filesAtOnce);
      const found = files.map((file) => oneByOne(() => alteredFile(file, at(file.key))));
      return (await Promise.all(found)).flat();
    },
    complete: async (folder) => (await names(folder)).filter((name) => !name.startsWith(".")),
    entries,
    tree: (folder) => readTree({ entries }, folder),
  } satisfies Partial<LakeStore>;
}

const filesAtOnce = 16;

async function alteredFile(
  { key, bytes, sha256 }: ListedFile,
  path: string,
): Promise<AlteredFile[]> {
  const found = await unlessMissing(digestOf(path, ownFile), null).catch((error: unknown) => {
    if (error instanceof UsageError) return null;
    throw error;
  });
  if (found === null) return [{ key, says: missingFile }];
  if (found.bytes !== bytes) return [{ key, says: otherSize(found.bytes, bytes) }];
  return found.sha256 === sha256 ? [] : [{ key, says: "has another SHA-256" }];
}

function localWrites(at: PathOf) {
  /** Its folder is made when it is missed. */
  const inFolder = async (key: string, write: (path: string) => unknown) => {
    const path = at(key);
    try {
      await write(path);
    } catch (error) {
      if (codeOf(error) !== "ENOENT") throw error;
      await makeDir(dirname(path));
      await write(path);
    }
  };
  /** They share the bytes of a published file, which are durable. */
  const linked = new Set<string>();
  return {
    put: (key, text) => inFolder(key, (path) => writeDurably(path, text)),
    append: (key, line) =>
      inFolder(key, async (path) => {
        fs.appendFileSync(path, `${line}\n`, { mode: fileMode });
        await fsyncFile(path);
      }),
    async adopt(file, key) {
      linked.delete(key);
      await inFolder(key, (path) => fs.renameSync(file, path));
    },
    async link(from, to) {
      const link = () => {
        fs.linkSync(at(from), at(to));
        linked.add(to);
      };
      await inFolder(to, async (path) => {
        try {
          link();
        } catch (error) {
          if (codeOf(error) === "ENOENT") throw error;
          await fsp.rm(path, { force: true });
          try {
            link();
          } catch {
            await fsp.copyFile(at(from), path);
          }
        }
      });
      return true;
    },
    remove: (key) => fsp.rm(at(key), { recursive: true, force: true, maxRetries: 3 }),
    async sync(keys) {
      const unsure = keys.filter((key) => !linked.has(key));
      await pLimit(concurrentSyncs).map(unsure, async (key) => {
        const path = at(key);
        // Only Windows tells files and folders apart here.
        const isFolder = process.platform === "win32" && (await fsp.stat(path)).isDirectory();
        await (isFolder ? fsyncDir(path) : fsyncFile(path));
      });
    },
  } satisfies Partial<LakeStore>;
}

export function createLocalStore(root: string): LakeStore {
  const at = (key: string) => join(root, key);
  const files = { locate: at, ...localReads(at), ...localWrites(at) };
  return {
    ...files,
    spool: root,
    bodies: "shared",
    make: (folder, write) => write(at(folder)),
    publish: (publication) => publishFolder(files, publication),
    retract: (folder, kept) => retractFolder(files, folder, kept),
    lock: (project, clock) => holdLock(files, project, clock),
  };
}

async function publishFolder(
  { locate, sync, put, adopt }: Pick<LakeStore, "locate" | "sync" | "put" | "adopt">,
  { project, name, staged, final, paths, manifest }: Publication,
): Promise<void> {
  const files = paths.map(({ path }) => `${staged}/${path}`);
  const folders = new Set([staged]);
  for (const file of files) {
    for (const folder of foldersAbove(file)) if (folder.startsWith(staged)) folders.add(folder);
  }
  await sync([...files, ...[...folders].toSorted((a, b) => b.length - a.length)]);
  await put(`${staged}/${manifestName}`, manifest);
  await adopt(locate(staged), final);
  await sync([posix.dirname(final), posix.dirname(staged)]);
  await put(layoutOf(project).current, `${name}\n`);
}

export async function retractFolder(
  { locate, adopt, sync, remove }: Pick<LakeStore, "locate" | "adopt" | "sync" | "remove">,
  folder: string,
  kept: ReadonlySet<string>,
): Promise<void> {
  // A copy of a lake in object storage: others need its files.
  if ([...kept].some((key) => key.startsWith(`${folder}/`))) return;
  const parent = posix.dirname(folder);
  const hidden = `${parent}/${prunedName(posix.basename(folder))}`;
  await adopt(locate(folder), hidden);
  await sync([parent]);
  await remove(hidden);
}

async function holdLock(
  files: Pick<LakeStore, "locate" | "entries" | "remove">,
  project: string,
  clock?: Clock,
): Promise<Lock> {
  const { lock: file, snapshots } = layoutOf(project);
  const own = await lockFile(files.locate(file), clock);
  try {
    const hidden = (await namesIn(files, snapshots)).map((name) => `snapshots/${name}`);
    for (const name of [...(await namesIn(files, project)), ...hidden].filter(isLeftover))
      await files.remove(`${project}/${name}`);
    return own;
  } catch (error) {
    await own.release();
    throw error;
  }
}

/** The engine closes an instance that nobody refers to, which would end its lock. */
const heldLocks = new Map<string, DuckDBInstance | undefined>();

const holderFile = (file: string) => `${file}.json`;

/**
 * The holder as its note names it. A holder that has just started gets a second to write the note.
 */
async function holderOf(file: string): Promise<string> {
  for (let tries = 0; tries < 10; tries++) {
    const text = await readText(holderFile(file)).catch(() => "");
    if (text !== "") return ` (${text.trim()})`;
    await systemClock.sleep(100);
  }
  return "";
}

/**
 * Makes a lock file if there is none, and gives it open if it has made it. The file appears with
 * its whole content, so that none is damaged at first.
 */
async function makeFile(file: string): Promise<DuckDBInstance | undefined> {
  const found = await fsp.lstat(file).catch(() => null);
  if (found?.isFile() === false) throw new Error(`${file} is not a regular file. Remove it.`);
  if (found !== null) return undefined;
  const temporary = `${file}.${randomHex(6)}`;
  const made = await openFile(temporary);
  try {
    // The lock is that of the file, whatever its name.
    await fsp.link(temporary, file);
    return made;
  } catch (error) {
    made.closeSync();
    if (codeOf(error) !== "EEXIST") await copyNew(temporary, file);
    return undefined;
  } finally {
    // Windows keeps the name while the file is open; the next run removes it.
    await fsp.rm(temporary, { force: true }).catch(() => undefined);
  }
}

const copyNew = (from: string, to: string) =>
  fsp.copyFile(from, to, fs.constants.COPYFILE_EXCL).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });

/** Opens a file of the engine, which is loaded only when something is locked. */
const openFile = (file: string): Promise<DuckDBInstance> =>
  duckdb().DuckDBInstance.create(enginePath(file));

const damaged =
  /not a valid DuckDB|not read enough bytes|Corrupt database|Serialization Error|version number/i;

/** A damaged lock file stays: replacing it would let two runs in. Every run takes the next name. */
async function openLock(file: string): Promise<DuckDBInstance> {
  for (let next = 2, name = file; ; name = `${file}.${next++}`) {
    const made = await makeFile(name);
    if (made !== undefined) return made;
    try {
      return await openFile(name);
    } catch (error) {
      if (!damaged.test(messageOf(error))) throw error;
    }
  }
}

/**
 * The lock that the operating system keeps on an open DuckDB file ends with its owner. A second
 * file names the holder.
 * @throws ExportError when another run holds it, or the folder cannot be written.
 */
async function lockFile(file: string, clock: Clock = systemClock): Promise<Lock> {
  const folder = dirname(file);
  const refused = (error: unknown) =>
    ["ENOTDIR", "EEXIST"].includes(codeOf(error) ?? "")
      ? new UsageError(`${folder}: a file is in the way. Pass --lake with a folder.`)
      : new ExportError(`${folder} cannot be written: ${messageOf(error)}`, { cause: error });
  const busy = async (cause?: unknown) =>
    new ExportError(
      `${folder} is being written by another run${await holderOf(file)}. Wait until it ` +
        "ends, or stop it.",
      {
        cause,
      },
    );
  await makeDir(folder).catch((error: unknown) => {
    throw refused(error);
  });
  if (heldLocks.has(file)) throw await busy();
  heldLocks.set(file, undefined);
  let instance: DuckDBInstance | undefined;
  try {
    instance = await openLock(file);
    heldLocks.set(file, instance);
    await writeDurably(
      holderFile(file),
      `pid ${process.pid} on ${hostname()} since ${clock.now().toISOString()}\n`,
    );
  } catch (error) {
    instance?.closeSync();
    heldLocks.delete(file);
    // The engine quotes the path, which itself contains "lock".
    if (messageOf(error).replaceAll(file, "").includes("Could not set lock on file"))
      throw await busy(error);
    throw refused(error);
  }
  const opened = instance;
  return {
    async release() {
      await fsp.rm(holderFile(file), { force: true }).catch(() => undefined);
      opened.closeSync();
      heldLocks.delete(file);
    },
  };
}
