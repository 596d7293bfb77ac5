import { dirname, join } from "node:path";
import pLimit from "p-limit";
import {
  codeOf,
  exists,
  fileMode,
  fs,
  fsp,
  fsyncDir,
  fsyncFile,
  makeDir,
  UsageError,
  readText,
  writeDurably,
} from "../platform/index.js";
import { digestOf } from "./digest.js";
import { lockFile } from "./lock.js";
import type { Entry, LakeStore } from "./store.js";

/** Files that are made durable at once: the system writes those that wait together. */
const concurrentSyncs = 8;

/** What `read` gives, or a fallback when there is no such file or folder. */
async function unlessMissing<T, F>(read: Promise<T>, fallback: F): Promise<T | F> {
  return read.catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return fallback;
    throw error;
  });
}

function entryOf(name: string, stats: fs.Stats): Entry {
  const kinds = { file: stats.isFile(), folder: stats.isDirectory(), link: stats.isSymbolicLink() };
  const [kind = "device or pipe"] = (["file", "folder", "link"] as const).filter((one) => kinds[one]);
  return { name, kind, bytes: stats.size, identity: `${stats.dev}:${stats.ino}`, links: stats.nlink };
}

/** A lake in a local folder. Equal files are hard links; durability is fsync of the file and of its folder. */
export function createLocalStore(root: string): LakeStore {
  const at = (key: string) => join(root, key);
  /** The path of a key whose folder exists. */
  const target = async (key: string) => {
    const path = at(key);
    await makeDir(dirname(path));
    return path;
  };
  /** The path of a key, unless it is a link, a device or a pipe: reading those leaves the lake, or never ends. */
  const regular = async (key: string) => {
    if (!(await fsp.lstat(at(key))).isFile())
      throw new UsageError(`${at(key)} is not a regular file. Run \`recount verify\`.`);
    return at(key);
  };
  return {
    locate: at,
    async scratch(key) {
      await makeDir(at(key));
      return at(key);
    },
    read: (key) => unlessMissing(regular(key).then(readText), null),
    stream: async (key) => fs.createReadStream(await regular(key), { highWaterMark: 1 << 18 }),
    digest: async (key) => digestOf(await regular(key)),
    exists: (key) => exists(at(key)),
    isFile: (key) =>
      regular(key).then(
        () => true,
        () => false,
      ),
    list: async (folder) => (await unlessMissing(fsp.readdir(at(folder)), [])).toSorted(),
    async entries(folder) {
      const names = await unlessMissing(fsp.readdir(at(folder)), []);
      const found = names.toSorted().map(async (name) => {
        const stats = await unlessMissing(fsp.lstat(join(at(folder), name)), null);
        return stats === null ? [] : [entryOf(name, stats)];
      });
      return (await Promise.all(found)).flat();
    },
    put: async (key, text) => writeDurably(await target(key), text),
    async append(key, line) {
      const handle = await fsp.open(await target(key), "a", fileMode);
      try {
        await handle.writeFile(`${line}\n`);
        await handle.sync();
      } finally {
        await handle.close();
      }
    },
    adopt: async (file, key) => fsp.rename(file, await target(key)),
    async link(from, to) {
      const path = await target(to);
      const temporary = `${path}.link`;
      await fsp.rm(temporary, { force: true });
      await fsp.link(at(from), temporary).catch(() => fsp.copyFile(at(from), temporary));
      await fsp.rename(temporary, path);
      // Renaming one link of a file over another does nothing (POSIX): the temporary name is still there.
      await fsp.rm(temporary, { force: true });
    },
    rename: async (from, to) => fsp.rename(at(from), await target(to)),
    remove: (key) => fsp.rm(at(key), { recursive: true, force: true, maxRetries: 3 }),
    async sync(keys) {
      await pLimit(concurrentSyncs).map(keys, async (key) => {
        const path = at(key);
        await ((await fsp.stat(path)).isDirectory() ? fsyncDir(path) : fsyncFile(path));
      });
    },
    lock: (key, clock) => lockFile(at(key), clock),
  };
}
