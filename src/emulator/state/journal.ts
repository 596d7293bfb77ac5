import { createHash } from "node:crypto";
import { dirname, resolve } from "node:path";
import { duckdb, fileMode, fsp, fsyncDir, messageOf, UsageError, writeDurably } from "../../platform/index.js";
import { isChange, type Journal, type StateChange } from "./store.js";

/** The digest of a line: of its JSON and of the line before, so that a changed, missing or moved line is found. */
const digestOf = (before: string, json: string): string =>
  createHash("sha256").update(`${before} ${json}`).digest("hex").slice(0, 32);

const lineOf = (before: string, json: string): string => `${digestOf(before, json)} ${json}\n`;

const isIntact = (before: string, line: string): boolean =>
  line.slice(0, 33) === `${digestOf(before, line.slice(33))} `;

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
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
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
  let waiting: { texts: string[]; done: Promise<void> } | null = null;
  let last: Promise<void> = Promise.resolve();
  let written = { bytes: Buffer.byteLength(line), digest: line.slice(0, 32), isClean: true };

  async function write(texts: readonly string[]): Promise<void> {
    let { digest } = written;
    const lines = texts.map((json) => {
      const own = lineOf(digest, json);
      digest = own.slice(0, 32);
      return own;
    });
    const text = lines.join("");
    if (!written.isClean) await file.truncate(written.bytes);
    written.isClean = false;
    await file.appendFile(text);
    await file.datasync();
    written = { bytes: written.bytes + Buffer.byteLength(text), digest, isClean: true };
  }

  return {
    /** Commits that arrive while the disk is busy are written and synchronised together. */
    append(changes) {
      const json = JSON.stringify(changes);
      if (waiting !== null) {
        waiting.texts.push(json);
        return waiting.done;
      }
      const texts = [json];
      const done = last.then(() => {
        waiting = null;
        return write(texts);
      });
      waiting = { texts, done };
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
