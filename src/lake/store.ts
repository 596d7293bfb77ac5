/** The seam to where a lake's files are: a local folder or object storage. */
import type { Readable } from "node:stream";
import type { DuckDBConnection } from "@duckdb/node-api";
import { type Clock, type Digest, digestOfPieces, type ObjectAddress } from "../platform/index.js";

export interface Lock {
  release(): Promise<void>;
}

interface FileIn {
  readonly path: string;
  readonly sha256: string | null;
}

/** A file as a manifest lists it. */
export interface ListedFile {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A file that is not what a manifest lists; `says` completes "it …". */
export interface AlteredFile {
  readonly key: string;
  readonly says: string;
}

export const missingFile = "is missing or not a regular file";
export const otherSize = (bytes: number, listed: number): string =>
  `has ${bytes} bytes, the manifest says ${listed}`;

export interface Publication {
  readonly project: string;
  readonly name: string;
  /** Folder that has the files, and the one that they get. */
  readonly staged: string;
  readonly final: string;
  readonly paths: readonly FileIn[];
  readonly manifest: string;
}

export type Tree = ReadonlyMap<string, Entry>;

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
 * The only access to the files of a lake. A key is a path within the lake, with forward slashes.
 * Files that must survive a crash are written with `put` or `append`, or made durable with `sync`.
 * Only regular files are read.
 */
export interface LakeStore {
  readonly spool: string;
  /** One folder of kept bodies for all snapshots, or one for each. */
  readonly bodies: "shared" | "own";
  /** The path or URI of a key, for messages and the query engine. */
  locate(key: string): string;
  read(key: string): Promise<string | null>;
  stream(key: string): Promise<Readable>;
  /** By the SHA-256 that the store knows, otherwise of the file that it reads. */
  holds(key: string, sha256: string | null): Promise<boolean>;
  isFile(key: string): Promise<boolean>;
  /** Those that are missing or changed: by size, and by SHA-256 where reading costs no requests. */
  altered(files: readonly ListedFile[]): Promise<AlteredFile[]>;
  complete(folder: string): Promise<string[]>;
  /** Sorted by name, hidden entries too, links not followed; empty when there is no folder. */
  entries(folder: string): Promise<Entry[]>;
  tree(root: string): Promise<Tree>;
  /** Writes a whole file durably: after a crash it is either the old one or the new one. */
  put(key: string, text: string): Promise<void>;
  append(key: string, line: string): Promise<void>;
  adopt(file: string, key: string): Promise<void>;
  /**
   * Gives the bytes of one key a second key, and replaces an existing file.
   * @returns false if a file has one key for good: then later manifests name the snapshot that has
   * it.
   */
  link(from: string, to: string): Promise<boolean>;
  remove(key: string): Promise<void>;
  /** Makes the content of files, and the names in folders, durable. */
  sync(keys: readonly string[]): Promise<void>;
  /** Replaces a folder that can be computed again by the one that `write` makes on this machine. */
  make<T>(folder: string, write: (dir: string) => Promise<T>): Promise<T>;
  /** A crash at any instant leaves the old snapshot or the new one. */
  publish(publication: Publication): Promise<void>;
  /**
   * Makes a snapshot invisible as a whole, then removes its files. What a crash leaves is removed
   * with it next time.
   * @param kept keys of files that other snapshots need
   */
  retract(folder: string, kept: ReadonlySet<string>): Promise<void>;
  /** Takes the exclusive lock of a project. @throws ExportError when another run holds it. */
  lock(project: string, clock?: Clock): Promise<Lock>;
}

export interface ObjectStorage {
  readonly createObjectStore: (address: ObjectAddress) => LakeStore;
  readonly removeObjects: (address: ObjectAddress) => Promise<void>;
  /** @throws UsageError if the engine lacks its extension for that */
  readonly letEngineRead: (engine: DuckDBConnection, files: readonly string[]) => Promise<void>;
}

export async function readTree(store: Pick<LakeStore, "entries">, root: string): Promise<Tree> {
  const tree = new Map<string, Entry>();
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await store.entries(folder === "" ? root : `${root}/${folder}`)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      tree.set(path, entry);
      if (entry.kind === "folder") await visit(path);
    }
  };
  await visit("");
  return tree;
}

export const namesIn = async (
  store: Pick<LakeStore, "entries">,
  folder: string,
): Promise<string[]> => (await store.entries(folder)).map(({ name }) => name);

export const digestIn = async (store: Pick<LakeStore, "stream">, key: string): Promise<Digest> =>
  digestOfPieces((await store.stream(key)) as AsyncIterable<Buffer>);

export async function entriesBelow(
  store: LakeStore,
  folder: string,
  isChosen: (name: string) => boolean,
): Promise<Entry[]> {
  const own = (await store.entries(folder)).filter(({ name }) => isChosen(name));
  const folders = own.filter(({ kind }) => kind === "folder");
  const below = await Promise.all(folders.map(({ name }) => store.tree(`${folder}/${name}`)));
  return [...own, ...below.flatMap((tree) => [...tree.values()])];
}

export interface Size {
  /** With every name counted. */
  readonly bytes: number;
  /** What their removal frees: without files that other names share. */
  readonly own_bytes: number;
}

export function sizeOfAll(entries: Iterable<Entry>): Size {
  let bytes = 0;
  let own = 0;
  const names = new Map<string, number>();
  for (const entry of entries) {
    bytes += entry.bytes;
    const count = (names.get(entry.identity) ?? 0) + 1;
    names.set(entry.identity, count);
    if (entry.kind === "folder" || count === entry.links) own += entry.bytes;
  }
  return { bytes, own_bytes: own };
}
