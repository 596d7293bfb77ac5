import * as fs from "node:fs";
import * as fsp from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { randomHex } from "./random.js";

/**
 * The only access to the file system. What must survive a crash uses `writeDurably`, `fsyncFile`, `fsyncDir` and
 * `rename`, so that tests can make them fail.
 */
export { fs, fsp };
export const { readFileSync } = fs;

/** Only owner and group may read files: exports may hold personal data. */
export const fileMode = 0o640;
const dirMode = 0o750;

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

/** Makes the names in a folder durable. Does nothing on Windows, which cannot open folders. */
export async function fsyncDir(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await fsyncFile(path);
}

/** Writes `content` atomically: after a crash the file is the old one or the new one. */
export async function writeDurably(path: string, content: string | Uint8Array): Promise<void> {
  await replaceFile(path, async (temporary) => {
    const handle = await fsp.open(temporary, "wx", fileMode);
    try {
      await handle.writeFile(content);
    } finally {
      await handle.close();
    }
  });
}

/** Replaces a file atomically by the one that `write` writes beside it. Nothing is left of a write that fails. */
export async function replaceFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = join(dirname(path), `.${randomHex(6)}.tmp`);
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

/** Calls `use` with the path of a temporary file, and removes that file. */
export async function temporaryFile<T>(prefix: string, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await fsp.mkdtemp(join(tmpdir(), `${prefix}-`));
  try {
    return await use(join(folder, "file"));
  } finally {
    await fsp.rm(folder, { recursive: true, force: true });
  }
}
