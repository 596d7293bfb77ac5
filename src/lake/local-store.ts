import { dirname, join, relative, sep } from "node:path";
import {
  codeOf,
  exists,
  fileMode,
  fs,
  fsp,
  fsyncDir,
  fsyncFile,
  makeDir,
  readText,
  writeDurably,
} from "../platform/index.js";
import { digestOf } from "./digest.js";
import { lockFile } from "./lock.js";
import type { LakeStore } from "./store.js";

/** What `read` gives, or a fallback when there is no such file or folder. */
async function unlessMissing<T, F>(read: Promise<T>, fallback: F): Promise<T | F> {
  return read.catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return fallback;
    throw error;
  });
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
  return {
    locate: at,
    async scratch(key) {
      await makeDir(at(key));
      return at(key);
    },
    read: (key) => unlessMissing(readText(at(key)), null),
    stream: (key) => fs.createReadStream(at(key), { highWaterMark: 1 << 18 }),
    digest: (key) => digestOf(at(key)),
    async identity(key) {
      const { dev, ino } = await fsp.stat(at(key));
      return `${dev}:${ino}`;
    },
    exists: (key) => exists(at(key)),
    list: async (folder) => (await unlessMissing(fsp.readdir(at(folder)), [])).toSorted(),
    async listFiles(folder) {
      const entries = await fsp.readdir(at(folder), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(at(folder), join(entry.parentPath, entry.name)).split(sep).join("/"));
    },
    put: async (key, text) => writeDurably(await target(key), text),
    async append(key, line) {
      const handle = await fsp.open(at(key), "a", fileMode);
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
      for (const key of keys) {
        const path = at(key);
        await ((await fsp.stat(path)).isDirectory() ? fsyncDir(path) : fsyncFile(path));
      }
    },
    lock: (key, clock) => lockFile(at(key), clock),
  };
}
