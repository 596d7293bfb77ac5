/** Results that are kept from run to run, each under the digest of what it was computed from. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { fs, fsp, makeDir, regularFile, version, writeDurably } from "../platform/index.js";
import { packFields, unpackFields, type PackedField } from "./packed-rows.js";

export interface KeptFolder {
  readonly folder: string;
  /** Reads nothing, and replaces what is there. */
  readonly isFull?: boolean;
  readonly warn?: ((line: string) => void) | undefined;
}

const digestBytes = 32;

const sealOf = (file: string, result: Uint8Array): Buffer =>
  createHash("sha256").update(file).update(result).digest();

/** Each key says of what code a result is; this, who can read it. */
const reader = `-${version}-v8-${process.versions.v8}-`;

/** A file that is damaged holds nothing and is removed, and `warn` tells that. */
async function readKept<T>({ folder, isFull, warn }: KeptFolder, file: string): Promise<T | null> {
  const path = join(folder, file);
  const reading = isFull ? null : regularFile(path).then(() => fsp.readFile(path));
  const bytes = (await reading?.catch(() => null)) ?? Buffer.alloc(0);
  const result = bytes.subarray(digestBytes);
  const isIntact = result.length > 0 && sealOf(file, result).equals(bytes.subarray(0, digestBytes));
  if (isIntact) return unpackFields(deserialize(result) as PackedField[]) as T;
  if (bytes.length === 0) return null;
  warn?.(`${path} is damaged: it is made again.`);
  await fsp.rm(path).catch(() => undefined);
  return null;
}

/** Newest first. */
async function keptFiles(folder: string, name: string): Promise<string[]> {
  const all = await fsp.readdir(folder).catch(() => []);
  const at = (file: string) =>
    fs.statSync(join(folder, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const own = all.filter((file) => file.startsWith(name + reader));
  return own.toSorted((a, b) => at(b) - at(a));
}

export async function recalled<T>(kept: KeptFolder, name: string): Promise<T[]> {
  const files = await keptFiles(kept.folder, name);
  return (await Promise.all(files.map((file) => readKept<T>(kept, file)))).flatMap(
    (one) => one ?? [],
  );
}

/** Null if it is not kept. @param key of all that the result depends on, `codeDigest` included */
export const recall = <T>(kept: KeptFolder, name: string, key: string): Promise<T | null> =>
  readKept(kept, name + reader + key);

const mostRemembered = 4;

/** A result that cannot be written is computed again. Older ones, and of other versions, go. */
export async function keepResult(
  { folder }: KeptFolder,
  name: string,
  key: string,
  result: object,
): Promise<void> {
  const file = name + reader + key;
  try {
    const bytes = serialize(packFields(result));
    await makeDir(folder);
    await writeDurably(join(folder, file), [sealOf(file, bytes), bytes]);
    const older = (await keptFiles(folder, name)).slice(mostRemembered);
    for (const one of await fsp.readdir(folder))
      if (older.includes(one) || !one.includes(reader))
        await fsp.rm(join(folder, one), { force: true });
  } catch {
    return;
  }
}

export const keptKey = (...values: readonly unknown[]): string =>
  createHash("sha256").update(serialize(values)).digest("hex");
