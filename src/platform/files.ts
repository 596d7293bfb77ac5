/** The only access to the file system. */
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
 * What must survive a crash uses `writeDurably`, `fsyncFile`, `fsyncDir` and `rename`, so that
 * tests can make them fail.
 */
export { fs, fsp };
export const { readFileSync } = fs;

export const codeFolder = dirname(import.meta.dirname);

export const packageFile = (path: string) => join(codeFolder, "..", path);

export const threadFile = (path: string) => join(codeFolder, path);

/** Exports may hold personal data. */
export const fileMode = 0o640;
const dirMode = 0o750;

async function isFolder(path: string): Promise<boolean> {
  return fsp.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

export async function unlessMissing<T, F>(read: Promise<T>, fallback: F): Promise<T | F> {
  return read.catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return fallback;
    throw error;
  });
}

/** Node's recursive `mkdir` never ends where nothing can be made, as in /proc. */
export async function makeDir(path: string): Promise<void> {
  const make = async () => {
    try {
      fs.mkdirSync(path, { mode: dirMode });
    } catch (error) {
      if (await isFolder(path)) return;
      if (codeOf(error) !== "EEXIST") throw error;
      throw new UsageError(
        `${path} is a file, or a link that leads nowhere, and not a folder. Name another folder.`,
      );
    }
  };
  try {
    await make();
  } catch (error) {
    const parent = dirname(path);
    if (codeOf(error) !== "ENOENT" || parent === path) throw error;
    await makeDir(parent);
    await make();
  }
}

interface Followed {
  readonly file: string;
  readonly stats: fs.Stats | null;
}

async function followed(path: string): Promise<Followed> {
  const stats = await unlessMissing(fsp.stat(path), null);
  // A link of the system to a pipe (/dev/stdout) has no real path.
  if (stats !== null) return { file: stats.isFile() ? await fsp.realpath(path) : path, stats };
  const target = await fsp.readlink(path).catch(() => null);
  return target === null ? { file: path, stats } : followed(resolve(dirname(path), target));
}

const isStream = ({ stats }: Followed) => stats !== null && !stats.isFile();

/** The project whose folder of a lake this is, or is in: Recount alone writes there. */
async function projectAround(folder: string): Promise<string | null> {
  for (let at = await fsp.realpath(folder); ; at = dirname(at)) {
    if ((await exists(join(at, "current"))) && (await isFolder(join(at, "snapshots")))) return at;
    if (at === dirname(at)) return null;
  }
}

/** @throws UsageError for a folder, one that does not exist, or one of a lake */
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

/** Call before the work whose output goes to `path`. @throws UsageError as `writeOutput` */
export async function checkOutput(path: string): Promise<void> {
  const found = await outputAt(path);
  if (isStream(found)) return fsp.access(found.file, fs.constants.W_OK);
  const temporary = beside(found.file);
  const open = await fsp.open(temporary, "wx", fileMode).catch((cause: unknown) => {
    const code = codeOf(cause) ?? "";
    if (!["EACCES", "EPERM", "EROFS", "ENOENT"].includes(code)) throw cause;
    throw new UsageError(
      `${path} cannot be written (${code}). Name a file in a folder that you may write.`,
      { cause },
    );
  });
  await open.close();
  await fsp.rm(temporary);
}

/**
 * A file is replaced atomically, also behind a link; a device or pipe receives the bytes.
 * @throws UsageError for a folder, or one that does not exist
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

const beside = (path: string) => join(dirname(path), `.${randomHex(6)}.tmp`);

export async function exists(path: string): Promise<boolean> {
  return fsp.access(path).then(
    () => true,
    () => false,
  );
}

interface Looking {
  /** `fs.lstatSync`: a link is no regular file either. */
  readonly look?: (path: string) => fs.Stats | Promise<fs.Stats>;
  /** What to do. */
  readonly advice?: string;
}

async function regularSize(
  path: string,
  { look = fs.statSync, advice = "" }: Looking,
): Promise<number> {
  const stats = await look(path);
  if (stats.isFile()) return stats.size;
  const [is] = [
    stats.isDirectory() ? ["a folder"] : [],
    stats.isSymbolicLink() ? ["a link"] : [],
    ["a pipe or device"],
  ].flat();
  throw new UsageError(`${path} is ${is}, not a regular file.${advice}`);
}

/** Reading a pipe or a device may never end. @throws UsageError, or as `look` */
export const regularFile = (path: string, looking: Looking = {}): Promise<string> =>
  regularSize(path, looking).then(() => path);

export const isRegularFile = (path: string): Promise<boolean> =>
  regularFile(path).then(
    () => true,
    () => false,
  );

export async function removeFile(path: string): Promise<void> {
  await fsp.unlink(path).catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
  });
}

export async function readText(path: string): Promise<string> {
  return fsp.readFile(path, "utf8");
}

/** The statement `sql/<name>.sql`. @param parts SQL for each `$name` in it */
export async function statement(
  name: string,
  parts: Readonly<Record<string, string>> = {},
): Promise<string> {
  const sql = await readText(packageFile(`sql/${name}.sql`));
  return sql.replaceAll(/\$([a-z_]+)/g, (_, part: string) => parts[part] ?? "");
}

export async function fsyncFile(path: string): Promise<void> {
  const file = fs.openSync(path, "r");
  try {
    await promisify(fs.fsync)(file);
  } finally {
    fs.closeSync(file);
  }
}

/** Makes names durable. Does nothing on Windows, which cannot open folders. */
export async function fsyncDir(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await fsyncFile(path);
}

export async function writeNew(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
): Promise<void> {
  await fsp.writeFile(path, content as string, { mode: fileMode, flag: "wx" });
}

/** After a crash the file is the old one or the new one. */
export async function writeDurably(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
): Promise<void> {
  await replaceFile(path, (temporary) => writeNew(temporary, content));
}

/** Atomically. A write that fails leaves nothing. */
async function replaceFile(
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

/** Removed at the end of the process. */
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

function isPrivate(path: string): boolean {
  const { uid, mode } = fs.lstatSync(path);
  return process.geteuid === undefined || (uid === process.geteuid() && (mode & 0o077) === 0);
}

export const nameOfThisProcess = () => [hostname(), process.pid, randomHex(6)].join("_");

/** Removes what killed processes of this host left: `prefix` and the name of the process. */
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

/** Not made yet. Its parent stays: the next process finds there what a killed one left. */
export function laterFolder(): TemporaryFolder {
  const own = join(tmpdir(), `recount-${process.geteuid?.() ?? ""}`);
  try {
    fs.mkdirSync(own, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && !isPrivate(own)) return temporaryFolder("recount");
    if (codeOf(error) === "EEXIST") removeLeftovers(own);
  }
  return removedAtEnd(join(own, nameOfThisProcess()));
}

/** Removes the file also if the process ends before. */
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

/** The nearest folder that exists. Writes nothing. @throws if it cannot be written */
export async function writableFolder(path: string): Promise<string> {
  for (let at = path; ; at = dirname(at)) {
    const stats = await unlessMissing(fsp.stat(at), null);
    if (stats === null) continue;
    if (!stats.isDirectory()) throw new UsageError(`${at} is not a folder. Name another path.`);
    await fsp.access(at, fs.constants.W_OK | fs.constants.X_OK);
    return at;
  }
}

export async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await fsp.statfs(folder);
  return bavail * bsize;
}

export interface Digest {
  readonly sha256: string;
  readonly bytes: number;
}

export const pieceBytes = 1 << 20;

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
 * Memory does not grow with the file. Threads would take six times as long for small ones.
 * @throws as `regularFile`
 */
export async function digestOf(path: string, looking: Looking = {}): Promise<Digest> {
  const size = await regularSize(path, looking);
  if (size > pieceBytes)
    return digestOfPieces(fs.createReadStream(path, { highWaterMark: pieceBytes }));
  const all = fs.readFileSync(path);
  return { sha256: createHash("sha256").update(all).digest("hex"), bytes: all.length };
}
