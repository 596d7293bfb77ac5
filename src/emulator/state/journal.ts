import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { codeOf, duckdb, fileMode, fsp, fsyncDir, messageOf, UsageError, writeDurably } from "../../platform/index.js";
import { isChange, type Journal, type StateChange } from "./store.js";

/** The digest of a line: of its JSON and of the line before, so that a changed, missing or moved line is found. */
const digestOf = (before: string, json: string): string =>
  createHash("sha256").update(`${before} ${json}`).digest("hex").slice(0, 32);

const lineOf = (before: string, json: string): string => `${digestOf(before, json)} ${json}\n`;

const isIntact = (before: string, line: string): boolean => `${line}\n` === lineOf(before, line.slice(33));

/**
 * The changes in the text of a state file: a line for each commit with its digest and an array of changes. A commit is
 * durable once its line is on disk; an incomplete last line was never acknowledged and is dropped.
 * @throws RangeError with the number of the line that is not valid.
 */
export function changesIn(text: string): StateChange[] {
  const lines = text.split("\n");
  const tail = lines.pop() ?? "";
  let before = "";
  const changes = lines.flatMap((line, index) => {
    if (!isIntact(before, line)) throw new RangeError(String(index + 1));
    before = line.slice(0, 32);
    const value: unknown = JSON.parse(line.slice(33));
    if (!Array.isArray(value) || !value.every(isChange)) throw new RangeError(String(index + 1));
    return value;
  });
  // A whole line with another byte in place of its newline was acknowledged.
  if (lines.length === 0 || isIntact(before, tail.slice(0, -1))) throw new RangeError(String(lines.length + 1));
  return changes;
}

/** The history in a state file; null when there is none yet. @throws UsageError. */
export async function readJournal(path: string): Promise<StateChange[] | null> {
  const text = await fsp.readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return "";
    throw new UsageError(`${path}: cannot be read (${messageOf(error)}).`);
  });
  try {
    return text === "" ? null : changesIn(text);
  } catch (error) {
    throw new UsageError(
      `${path}: line ${messageOf(error)} is not valid in a state file; restore the file, or choose another --data file.`,
    );
  }
}

/** Opens the file for appending, with `changes` as its whole history so far: an unfinished last line is removed. */
export async function openJournal(path: string, changes: readonly StateChange[], unlock: () => void): Promise<Journal> {
  try {
    const line = lineOf("", JSON.stringify(changes));
    await writeDurably(path, line);
    await fsyncDir(dirname(resolve(path)));
    return createFileJournal(await fsp.open(path, "a", fileMode), line, unlock);
  } catch (error) {
    throw new UsageError(`${path}: cannot be written (${messageOf(error)}).`);
  }
}

type File = Pick<fsp.FileHandle, "appendFile" | "datasync" | "truncate" | "close">;

/** Appends to `file`, whose last line is `line`. What could not be written is removed before the next write. */
export function createFileJournal(file: File, line: string, unlock: () => void): Journal {
  let last: Promise<unknown> = Promise.resolve();
  let digest = line.slice(0, 32);
  let bytes = Buffer.byteLength(line);
  let isClean = true;

  async function write(json: string): Promise<void> {
    const text = lineOf(digest, json);
    if (!isClean) await file.truncate(bytes);
    isClean = false;
    await file.appendFile(text);
    await file.datasync();
    isClean = true;
    digest = text.slice(0, 32);
    bytes += Buffer.byteLength(text);
  }

  return {
    append(changes) {
      const done = last.then(() => write(JSON.stringify(changes)));
      last = done.catch(() => undefined);
      return done;
    },
    async close() {
      await last;
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
    const instance = await duckdb().DuckDBInstance.create(`${path}.lock`);
    return () => {
      instance.closeSync();
    };
  } catch (error) {
    if (/conflicting lock|could not set lock/i.test(messageOf(error)))
      throw new UsageError(`${path} is in use by another emulator; stop that one, or choose another --data file.`);
    throw new UsageError(`${path}.lock cannot be opened: ${messageOf(error)}`);
  }
}
