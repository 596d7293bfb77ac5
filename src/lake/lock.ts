import { DuckDBInstance } from "@duckdb/node-api";
import { hostname } from "node:os";
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
import { layoutOf } from "./layout.js";

export interface Lock {
  release(): Promise<void>;
}

const held = new Set<string>();

const holderFile = (file: string) => `${file}.json`;

/** A holder that has only just begun may not have written its name yet: it is given a second. */
async function holderOf(file: string): Promise<string> {
  for (let tries = 0; tries < 10; tries++) {
    const text = await readText(holderFile(file)).catch(() => "");
    if (text !== "") return ` (${text.trim()})`;
    await systemClock.sleep(100);
  }
  return "";
}

/** Opens the file, anew when a crash left something that is no database. */
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
 * One writer per project. The lock is the one that the operating system keeps on an open DuckDB file: it ends with
 * its owner however that dies, and knows neither pids nor clocks. The file beside it only names the holder.
 * @throws ExportError when another process holds it.
 */
export async function lockProject(lake: string, projectId: string, clock: Clock = systemClock): Promise<Lock> {
  const { project, lock: file } = layoutOf(lake, projectId);
  const refused = (error: unknown) =>
    new ExportError(`${project} cannot be written: ${messageOf(error)}`, { cause: error });
  const busy = async (cause?: unknown) =>
    new ExportError(`${project} is being written by another run${await holderOf(file)}. Wait for it, or end it.`, {
      cause,
    });
  await makeDir(project).catch((error: unknown) => {
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
    // The engine's message quotes the path, which itself speaks of a lock.
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
