import { DuckDBInstance } from "@duckdb/node-api";
import { hostname } from "node:os";
import { systemClock, type Clock } from "../clock.js";
import { ExportError, messageOf } from "../errors.js";
import { makeDir, readText, writeDurably } from "../files.js";
import { layoutOf } from "./layout.js";

export interface Lock {
  release(): void;
}

const held = new Set<string>();

async function holderOf(file: string): Promise<string> {
  return readText(`${file}.json`).then((text) => ` (${text.trim()})`, () => "");
}

/**
 * One writer per project. The lock is the one that the operating system keeps on an open DuckDB file: it ends with
 * its owner however that dies, and knows neither pids nor clocks. The file beside it only names the holder.
 * @throws ExportError when another process holds it.
 */
export async function lockProject(lake: string, projectId: string, clock: Clock = systemClock): Promise<Lock> {
  const { project, lock: file } = layoutOf(lake, projectId);
  await makeDir(project);
  const refuse = async (cause?: unknown) =>
    new ExportError(`${project} is being written by another run${await holderOf(file)}. Wait for it, or end it.`, { cause });
  if (held.has(file)) throw await refuse();
  held.add(file);
  try {
    const instance = await DuckDBInstance.create(file);
    await writeDurably(`${file}.json`, `pid ${process.pid} on ${hostname()} since ${clock.now().toISOString()}\n`);
    return {
      release() {
        instance.closeSync();
        held.delete(file);
      },
    };
  } catch (error) {
    held.delete(file);
    if (/lock/i.test(messageOf(error))) throw await refuse(error);
    throw new ExportError(`${file} cannot be opened: ${messageOf(error)}`, { cause: error });
  }
}
