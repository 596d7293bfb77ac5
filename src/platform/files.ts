import { createHash } from "node:crypto";
import * as fs from "node:fs";
import * as fsp from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { codeOf, UsageError } from "./errors.js";
import { randomHex } from "./random.js";

/**
 * The only access to the file system. What must survive a crash uses `writeDurably`, `fsyncFile`,
 * `fsyncDir` and `rename`, so that tests can make them fail.
 */
export { fs, fsp };
export const { readFileSync } = fs;

/** The folder of the code: `src`, or `dist`, where this file is part of a chunk. */
export const codeFolder = dirname(import.meta.dirname);

/** A file of the package, such as its SQL and data, by its path in it. */
export const packageFile = (path: string) => join(codeFolder, "..", path);

/**
 * A file of the code that starts a thread, by its path in `dist`. There is none where Recount runs
 * from its sources.
 */
export const threadFile = (path: string) => join(codeFolder, path);

/** Only owner and group may read files: exports may hold personal data. */
export const fileMode = 0o640;
const dirMode = 0o750;

async function isFolder(path: string): Promise<boolean> {
  return fsp.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

/** What `read` gives, or a fallback when there is no such file or folder. */
export async function unlessMissing<T, F>(read: Promise<T>, fallback: F): Promise<T | F> {
  return read.catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return fallback;
    throw error;
  });
}

/**
 * Makes a folder and those above it. Node's recursive `mkdir` tries for ever where nothing can be
 * made, as in /proc.
 */
export async function makeDir(path: string): Promise<void> {
  const make = () =>
    fsp.mkdir(path, { mode: dirMode }).catch(async (error: unknown) => {
      if (await isFolder(path)) return;
      if (codeOf(error) !== "EEXIST") throw error;
      throw new UsageError(
        `${path} is a file, or a link that leads nowhere, and not a folder. Name another folder.`,
      );
    });
  try {
    await make();
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    await makeDir(parent);
    await make();
  }
}

/** What is at a path once its links are followed, even if they lead to nothing yet. */
interface Followed {
  readonly file: string;
  /** Null: there is nothing. */
  readonly stats: fs.Stats | null;
}

async function followed(path: string): Promise<Followed> {
  const stats = await unlessMissing(fsp.stat(path), null);
  // A link of the system to a pipe (/dev/stdout) has no real path.
  if (stats !== null) return { file: stats.isFile() ? await fsp.realpath(path) : path, stats };
  const target = await fsp.readlink(path).catch(() => null);
  return target === null ? { file: path, stats } : followed(resolve(dirname(path), target));
}

/** A device or pipe is written as it is: nothing may take its place. */
const isStream = ({ stats }: Followed) => stats !== null && !stats.isFile();

/** The project of a lake whose folder a folder is, or is in: Recount alone writes there. */
async function projectAround(folder: string): Promise<string | null> {
  for (let at = await fsp.realpath(folder); ; at = dirname(at)) {
    if ((await exists(join(at, "current"))) && (await isFolder(join(at, "snapshots")))) return at;
    if (at === dirname(at)) return null;
  }
}

/**
 * Where the output that a person has named goes.
 * @throws UsageError for a folder, one that does not exist, or one of a lake.
 */
async function outputAt(path: string): Promise<Followed> {
  const found = await followed(path);
  if (found.stats?.isDirectory()) throw new UsageError(`${path} is a folder. Name a file in it.`);
  const folder = dirname(found.file);
  if (!isStream(found) && !(await isFolder(folder)))
    throw new UsageError(
      `${path}: there is no folder ${folder}. Make it, or name a file in another one.`,
    );
  const project = isStream(found) ? null : await projectAround(folder);
  if (project !== null)
    throw new UsageError(
      `${path}: the folder ${project} is a project of a lake. Name a file outside it, for ` +
        "example out.csv.",
    );
  return found;
}

/**
 * Call before the work whose output goes to `path`.
 * @throws UsageError as `writeOutput`, or what writing would throw.
 */
export async function checkOutput(path: string): Promise<void> {
  const found = await outputAt(path);
  if (isStream(found)) return fsp.access(found.file, fs.constants.W_OK);
  const temporary = beside(found.file);
  await (await fsp.open(temporary, "wx", fileMode)).close();
  await fsp.rm(temporary);
}

/**
 * Puts what `write` writes into a file at the path that a person has named. A file is replaced
 * atomically, also where a link leads to it; a device or pipe receives the bytes. @throws
 * UsageError for a folder, or a folder that does not exist.
 */
export async function writeOutput(
  path: string,
  write: (file: string) => Promise<void>,
): Promise<void> {
  const found = await outputAt(path);
  if (!isStream(found)) return replaceFile(found.file, write);
  await temporaryFile("recount-output", async (file) => {
    await write(file);
    const target = await fsp.open(found.file, fs.constants.O_WRONLY);
    await pipeline(fs.createReadStream(file), target.createWriteStream());
  });
}

/** A new name in the folder of a file. */
const beside = (path: string) => join(dirname(path), `.${randomHex(6)}.tmp`);

export async function exists(path: string): Promise<boolean> {
  return fsp.access(path).then(
    () => true,
    () => false,
  );
}

/** Removes a file, if it exists, in one call of the system: Node's `rm` takes three. */
export async function removeFile(path: string): Promise<void> {
  await fsp.unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
}

export async function readText(path: string): Promise<string> {
  return fsp.readFile(path, "utf8");
}

export async function fsyncFile(path: string): Promise<void> {
  // Only the disk is worth waiting for: opening and closing in another thread would take twice as
  // long in all.
  const file = fs.openSync(path, "r");
  try {
    await promisify(fs.fsync)(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Makes the names in a folder durable. Does nothing on Windows, which cannot open folders. */
export async function fsyncDir(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await fsyncFile(path);
}

/** Writes a file that does not exist yet. A long text comes in pieces. */
export async function writeNew(
  path: string,
  content: string | Uint8Array | Iterable<string>,
): Promise<void> {
  // Node writes the pieces one by one, which its types leave out.
  await fsp.writeFile(path, content as string, { mode: fileMode, flag: "wx" });
}

/** Writes `content` atomically: after a crash the file is the old one or the new one. */
export async function writeDurably(
  path: string,
  content: string | Uint8Array | Iterable<string>,
): Promise<void> {
  await replaceFile(path, (temporary) => writeNew(temporary, content));
}

/**
 * Replaces a file atomically by the one that `write` writes beside it. Nothing is left of a write
 * that fails.
 */
export async function replaceFile(
  path: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = beside(path);
  try {
    await write(temporary);
    await fsyncFile(temporary);
    await fsp.rename(temporary, path);
  } catch (error) {
    await fsp.rm(temporary, { force: true });
    throw error;
  }
  await fsyncDir(dirname(path));
}

const temporaryFolders = new Set<string>();
let isRemovedAtEnd = false;
const removeFolder = (folder: string) => fs.rmSync(folder, { recursive: true, force: true });

/**
 * A folder among the system's temporary files that only this user may read, removed at the end of
 * the process.
 */
interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => void;
}

function removedAtEnd(path: string): TemporaryFolder {
  if (!isRemovedAtEnd) process.once("exit", () => temporaryFolders.forEach(removeFolder));
  isRemovedAtEnd = true;
  temporaryFolders.add(path);
  return {
    path,
    remove() {
      temporaryFolders.delete(path);
      removeFolder(path);
    },
  };
}

const temporaryFolder = (prefix: string) =>
  removedAtEnd(fs.mkdtempSync(join(tmpdir(), `${prefix}-`)));

/**
 * Whether a folder is of this user, and nobody else may read it. Elsewhere than on POSIX each user
 * has own temporary files.
 */
function isPrivate(path: string): boolean {
  const { uid, mode } = fs.lstatSync(path);
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o077) === 0);
}

/** A new name, by which others find out whether this process has ended. */
export const nameOfThisProcess = () => [hostname(), process.pid, randomHex(6)].join("_");

/**
 * Removes what processes of this host left in a folder when they were killed: `prefix` and the name
 * of the process.
 */
export function removeLeftovers(folder: string, prefix = ""): void {
  for (const name of fs.readdirSync(folder)) {
    const [host, pid] = name.slice(prefix.length).split("_");
    if (!name.startsWith(prefix) || host !== hostname() || !/^\d+$/.test(pid ?? "")) continue;
    try {
      process.kill(Number(pid), 0);
    } catch (error) {
      if (codeOf(error) === "ESRCH") removeFolder(join(folder, name));
    }
  }
}

/**
 * The name of such a folder, which whoever needs it makes. It is in a folder of this user that
 * stays, so that nothing is left of a process that is killed before it needed it, and the next
 * process finds what a killed one left.
 */
export function laterFolder(): TemporaryFolder {
  const own = join(tmpdir(), `recount-${process.geteuid?.() ?? ""}`);
  try {
    fs.mkdirSync(own, { mode: 0o700 });
  } catch (error) {
    // Where nothing can be written, whoever needs the folder says so.
    if (codeOf(error) === "EEXIST" && !isPrivate(own)) return temporaryFolder("recount");
    if (codeOf(error) === "EEXIST") removeLeftovers(own);
  }
  return removedAtEnd(join(own, nameOfThisProcess()));
}

/**
 * Calls `use` with the path of a temporary file, and removes that file, also if the process ends
 * before.
 */
export async function temporaryFile<T>(
  prefix: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const { path, remove } = temporaryFolder(prefix);
  try {
    return await use(join(path, "file"));
  } finally {
    remove();
  }
}

/**
 * The folder in which a path would be made: itself, or the nearest one above it. Writes nothing.
 * @throws if it cannot be written.
 */
export async function writableFolder(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const stats = await unlessMissing(fsp.stat(at), null);
    if (stats === null) continue;
    if (!stats.isDirectory()) throw new UsageError(`${at} is not a folder. Name another path.`);
    await fsp.access(at, fs.constants.W_OK | fs.constants.X_OK);
    return at;
  }
}

/** Bytes that are free where a folder is. */
export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await fsp.statfs(folder);
  return bavail * bsize;
}

export interface Digest {
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** Bytes that are read at once. */
export const pieceBytes = 1 << 20;

/** Digest of bytes, or text in UTF-8, that come in pieces. */
export async function digestOfPieces(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer | string>,
): Promise<Digest> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of pieces) {
    hash.update(chunk);
    bytes += Buffer.byteLength(chunk);
  }
  return { sha256: hash.digest("hex"), bytes };
}

/**
 * Digest of a file that was written just now. The system still has a small one in its memory, and
 * handing its reading to another thread would take six times as long.
 */
export async function digestOfNew(path: string): Promise<Digest> {
  return fs.statSync(path).size > pieceBytes
    ? digestOf(path)
    : digestOfPieces([fs.readFileSync(path)]);
}

/** Digest of a file of this machine; memory does not grow with the file. */
export async function digestOf(path: string): Promise<Digest> {
  const { size } = await fsp.stat(path);
  // A small file is read at once: as a stream it takes four times as long.
  const pieces =
    size > pieceBytes
      ? fs.createReadStream(path, { highWaterMark: pieceBytes })
      : [await fsp.readFile(path)];
  return digestOfPieces(pieces as AsyncIterable<Buffer>);
}
