import { fsp, fsyncDir, fileMode, writeDurably, messageOf, UsageError } from "../../platform/index.js";
import { dirname, resolve } from "node:path";
import type { StateChange } from "./change.js";
import type { Journal } from "./store.js";
import { DuckDBInstance } from "@duckdb/node-api";

/**
 * A state file: one line of JSON for each commit, an array of changes. A commit is durable once its line
 * is on disk; an incomplete last line was never acknowledged and is dropped.
 */
export async function readJournal(path: string): Promise<StateChange[] | null> {
  const text = await fsp.readFile(path, "utf8").catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new UsageError(`${path}: cannot be read (${messageOf(error)}).`);
  });
  if (text === null || text === "") return null;
  const lines = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1);
  const wrong = (line: number): UsageError =>
    new UsageError(`${path}: line ${line} is not valid in a state file; choose another --data file.`);
  if (lines.length === 0) throw wrong(1);
  return lines.flatMap((line, index) => {
    let changes: unknown;
    try {
      changes = JSON.parse(line);
    } catch {
      throw wrong(index + 1);
    }
    if (!Array.isArray(changes) || !changes.every(isChange)) throw wrong(index + 1);
    return changes;
  });
}

const isChange = (value: unknown): value is StateChange =>
  typeof value === "object" && value !== null && "set" in value && typeof value.set === "string" && "value" in value;

/** Opens the file for appending, with `changes` as its whole history so far: an unfinished last line is removed. */
export async function openJournal(path: string, changes: readonly StateChange[], unlock: () => void): Promise<Journal> {
  try {
    await writeDurably(path, `${JSON.stringify(changes)}\n`);
    await fsyncDir(dirname(resolve(path)));
    return createFileJournal(await fsp.open(path, "a", fileMode), unlock);
  } catch (error) {
    throw new UsageError(`${path}: cannot be written (${messageOf(error)}).`);
  }
}

function createFileJournal(file: fsp.FileHandle, unlock: () => void): Journal {
  let waiting: { lines: string[]; done: Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();
  return {
    /** Commits that arrive while the disk is busy are written and synchronised together. */
    append(changes) {
      const line = `${JSON.stringify(changes)}\n`;
      if (waiting !== null) {
        waiting.lines.push(line);
        return waiting.done;
      }
      const lines = [line];
      const done = last.then(async () => {
        waiting = null;
        await file.appendFile(lines.join(""));
        await file.datasync();
      });
      waiting = { lines, done };
      last = done;
      return done;
    },
    async close() {
      await last.catch(() => undefined);
      await file.close();
      unlock();
    },
  };
}

/**
 * Locks a state file for one emulator. The operating system holds the lock on an open DuckDB file next to it, so it
 * ends with its owner, however that ends. Nothing is stored in the lock file.
 * @throws UsageError when another emulator holds it.
 */
export async function lockState(path: string): Promise<() => void> {
  try {
    const instance = await DuckDBInstance.create(`${path}.lock`);
    return () => {
      instance.closeSync();
    };
  } catch (error) {
    if (/conflicting lock|could not set lock/i.test(messageOf(error)))
      throw new UsageError(`${path} is in use by another emulator; stop that one, or choose another --data file.`);
    throw new UsageError(`${path}.lock cannot be opened: ${messageOf(error)}`);
  }
}
