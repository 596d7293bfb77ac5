import type { DuckDBInstance } from "@duckdb/node-api";
import { hostname } from "node:os";
import { dirname } from "node:path";
import {
  systemClock,
  type Clock,
  codeOf,
  duckdb,
  ExportError,
  messageOf,
  fs,
  fsp,
  makeDir,
  randomHex,
  readText,
  writeDurably,
} from "../platform/index.js";
import type { Lock } from "./store.js";

/** The locks of this process. The engine closes an instance that nobody refers to, which would end its lock. */
const held = new Map<string, DuckDBInstance | undefined>();

const holderFile = (file: string) => `${file}.json`;

/** The holder as its note names it. A holder that has just started gets a second to write the note. */
async function holderOf(file: string): Promise<string> {
  for (let tries = 0; tries < 10; tries++) {
    const text = await readText(holderFile(file)).catch(() => "");
    if (text !== "") return ` (${text.trim()})`;
    await systemClock.sleep(100);
  }
  return "";
}

/** Puts a lock file in place if there is none. It appears with its whole content, so that none is damaged at first. */
async function ensureFile(file: string): Promise<void> {
  const found = await fsp.lstat(file).catch(() => null);
  if (found?.isFile() === false) throw new Error(`${file} is not a regular file. Remove it.`);
  if (found !== null) return;
  const temporary = `${file}.${randomHex(6)}`;
  try {
    (await openFile(temporary)).closeSync();
    await fsp.link(temporary, file).catch(() => fsp.copyFile(temporary, file, fs.constants.COPYFILE_EXCL));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    await fsp.rm(temporary, { force: true });
  }
}

/** Opens a file of the engine, which is loaded only when something is locked. */
const openFile = (file: string): Promise<DuckDBInstance> => duckdb().DuckDBInstance.create(file);

const damaged = /not a valid DuckDB|not read enough bytes|Corrupt database|Serialization Error|version number/i;

/**
 * Opens the lock's file. A damaged one cannot be locked, nor replaced without letting two runs in: it stays, and every
 * run goes on to the same next name.
 */
async function openLock(file: string): Promise<DuckDBInstance> {
  for (let next = 2, name = file; ; name = `${file}.${next++}`) {
    await ensureFile(name);
    try {
      return await openFile(name);
    } catch (error) {
      if (!damaged.test(messageOf(error))) throw error;
    }
  }
}

/**
 * Locks a file for this process. The lock is the one that the operating system keeps on an open DuckDB file: it ends
 * with its owner, however that ends, and does not depend on a process id or a clock. A second file names the holder.
 * @throws ExportError when another run holds it, or the folder cannot be written.
 */
export async function lockFile(file: string, clock: Clock = systemClock): Promise<Lock> {
  const folder = dirname(file);
  const refused = (error: unknown) =>
    new ExportError(`${folder} cannot be written: ${messageOf(error)}`, { cause: error });
  const busy = async (cause?: unknown) =>
    new ExportError(
      `${folder} is being written by another run${await holderOf(file)}. Wait until it ends, or stop it.`,
      {
        cause,
      },
    );
  await makeDir(folder).catch((error: unknown) => {
    throw refused(error);
  });
  if (held.has(file)) throw await busy();
  held.set(file, undefined);
  let instance: DuckDBInstance | undefined;
  try {
    instance = await openLock(file);
    held.set(file, instance);
    await writeDurably(holderFile(file), `pid ${process.pid} on ${hostname()} since ${clock.now().toISOString()}\n`);
  } catch (error) {
    instance?.closeSync();
    held.delete(file);
    // The engine quotes the path, which itself contains "lock".
    if (messageOf(error).replaceAll(file, "").includes("Could not set lock on file")) throw await busy(error);
    throw refused(error);
  }
  const opened = instance;
  return {
    async release() {
      await fsp.rm(holderFile(file), { force: true }).catch(() => undefined);
      opened.closeSync();
      held.delete(file);
    },
  };
}
