import type { Readable } from "node:stream";
import type { Clock } from "../platform/index.js";
import type { Digest } from "./digest.js";

export interface Lock {
  release(): Promise<void>;
}

/** A name in a folder. */
export interface Entry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "device or pipe";
  readonly bytes: number;
  /** Equal for all files that share their bytes: verification reads those once. */
  readonly identity: string;
  /** Number of names that a file's bytes have. */
  readonly links: number;
}

/**
 * The only access to the files of a lake. A key is a path within the lake, with forward slashes. Files that must
 * survive a crash are written with `put` or `append`, or made durable with `sync`. Only regular files are read.
 */
export interface LakeStore {
  /** The path or URI of a key, for messages and the query engine. */
  locate(key: string): string;
  /** A folder on this machine for files that `adopt` takes later. `remove` removes it. */
  scratch(key: string): Promise<string>;
  /** The text of a file; null when there is none. */
  read(key: string): Promise<string | null>;
  stream(key: string): Promise<Readable>;
  digest(key: string): Promise<Digest>;
  exists(key: string): Promise<boolean>;
  /** Whether there is a regular file, not a link, a device or a pipe. */
  isFile(key: string): Promise<boolean>;
  /** Names in a folder, sorted; empty when there is no folder. */
  list(folder: string): Promise<string[]>;
  /** What is in a folder, sorted by name, hidden entries too; links are not followed. */
  entries(folder: string): Promise<Entry[]>;
  /** Writes a whole file durably: after a crash it is either the old one or the new one. */
  put(key: string, text: string): Promise<void>;
  /** Adds a line to a file, durably. */
  append(key: string, line: string): Promise<void>;
  /** Moves a file of this machine into the store. Durable only after `sync`. */
  adopt(file: string, key: string): Promise<void>;
  /** Gives the bytes of one key a second key, without a copy if the store can. Replaces an existing file. */
  link(from: string, to: string): Promise<void>;
  /** Renames a file or a folder; a folder becomes visible under its new key as a whole. */
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with its contents, if it exists. */
  remove(key: string): Promise<void>;
  /** Makes the content of files, and the names in folders, durable. */
  sync(keys: readonly string[]): Promise<void>;
  /** Takes the exclusive lock at a key. @throws ExportError when another run holds it. */
  lock(key: string, clock?: Clock): Promise<Lock>;
}
