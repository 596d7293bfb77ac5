import * as fs from "node:fs";
import * as fsp from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { randomHex } from "./random.js";

/**
 * The only door to the file system. What must survive a crash goes through `writeDurably`,
 * `fsyncFile`, `fsyncDir` and `rename`, so that tests can put a failing layer underneath.
 */
export { fs, fsp };
export const { readFileSync } = fs;

/** Files are readable by their owner and group only: exports may hold personal data. */
export const fileMode = 0o640;
export const dirMode = 0o750;

export async function makeDir(path: string): Promise<void> {
  await fsp.mkdir(path, { recursive: true, mode: dirMode });
}

export async function exists(path: string): Promise<boolean> {
  return fsp.access(path).then(
    () => true,
    () => false,
  );
}

export async function readText(path: string): Promise<string> {
  return fsp.readFile(path, "utf8");
}

export async function fsyncFile(path: string): Promise<void> {
  const handle = await fsp.open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder durable. Windows cannot open folders; there it does nothing. */
export async function fsyncDir(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await fsyncFile(path);
}

/** Writes `content` so that after a crash the file is either the old one or the new one, whole. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = join(dirname(path), `.${randomHex(6)}.tmp`);
  const handle = await fsp.open(temporary, "wx", fileMode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await fsp.rename(temporary, path);
  } catch (error) {
    await fsp.rm(temporary, { force: true });
    throw error;
  }
  await fsyncDir(dirname(path));
}

/** Hands `use` the path of a file that is gone afterwards. */
export async function temporaryFile<T>(prefix: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await fsp.mkdtemp(join(tmpdir(), `${prefix}-`));
  try {
    return await use(join(folder, "file"));
  } finally {
    await fsp.rm(folder, { recursive: true, force: true });
  }
}
