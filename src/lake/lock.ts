import { DuckDBInstance } from "@duckdb/node-api";
import { hostname } from "node:os";
import { dirname } from "node:path";
import {
  systemClock,
  type Clock,
  ExportError,
  messageOf,
  fsp,
  makeDir,
  readText,
  writeDurably,
} from "../platform/index.js";
import type { Lock } from "./store.js";

const held = new Set<string>();

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

/** Opens the file; replaces one that a crash left unreadable. */
async function openLock(file: string): Promise<DuckDBInstance> {
  try {
    return await DuckDBInstance.create(file);
  } catch (error) {
    if (!/not a valid DuckDB database file/i.test(messageOf(error))) throw error;
    await fsp.rm(file, { force: true });
    return DuckDBInstance.create(file);
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
  held.add(file);
  let instance: DuckDBInstance | undefined;
  try {
    instance = await openLock(file);
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
