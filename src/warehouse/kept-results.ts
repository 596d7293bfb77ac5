/** Results that are kept from run to run, each under the digest of what it was computed from. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import {
  fsp,
  makeDir,
  nameOfThisProcess,
  regularFile,
  removeLeftovers,
  version,
  writeNew,
} from "../platform/index.js";

export interface KeptFolder {
  readonly folder: string;
  /** Reads nothing, and replaces what is there. */
  readonly isFull?: boolean;
  readonly warn?: ((line: string) => void) | undefined;
}

type KeptResults = ReadonlyMap<string, Uint8Array>;

const digestBytes = 32;

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash("sha256").update(Buffer.concat(parts)).digest();

/** Each key says of what code a result is; this, who can read it. */
const makerOf = (name: string): Buffer =>
  sha256(Buffer.from([name, version, process.versions.v8].join(" ")));

/** A file that is damaged, or of another version, holds nothing; `warn` tells damage. */
async function readKept(
  { folder, isFull = false, warn }: KeptFolder,
  name: string,
): Promise<KeptResults> {
  const none = Buffer.alloc(0);
  const bytes = isFull
    ? none
    : await regularFile(join(folder, name))
        .then((file) => fsp.readFile(file))
        .catch(() => none);
  const results = bytes.subarray(2 * digestBytes);
  const [seal, maker] = [
    bytes.subarray(0, digestBytes),
    bytes.subarray(digestBytes, 2 * digestBytes),
  ];
  const isIntact = results.length > 0 && sha256(maker, results).equals(seal);
  if (bytes.length > 0 && !isIntact) warn?.(`${join(folder, name)} is damaged: it is made again.`);
  return isIntact && makerOf(name).equals(maker)
    ? (deserialize(results) as KeptResults)
    : new Map<string, Uint8Array>();
}

const mostRemembered = 4;

export async function recalled<T>(kept: KeptFolder, name: string): Promise<T[]> {
  return [...(await readKept(kept, name)).values()].map((one) => deserialize(one) as T);
}

/** Null if it is not kept. @param key of all that the result depends on, `codeDigest` included */
export async function recall<T>(kept: KeptFolder, name: string, key: string): Promise<T | null> {
  const found = (await readKept(kept, name)).get(key);
  return found === undefined ? null : (deserialize(found) as T);
}

/** A result that cannot be written is computed again by the next run. */
export async function keepResult(
  { folder }: KeptFolder,
  name: string,
  key: string,
  result: unknown,
): Promise<void> {
  const before = await readKept({ folder }, name);
  const others = [...before].filter(([other]) => other !== key).slice(0, mostRemembered - 1);
  const results = serialize(new Map([[key, serialize(result)], ...others]));
  const maker = makerOf(name);
  const temporary = join(folder, `.tmp-${nameOfThisProcess()}`);
  try {
    await makeDir(folder);
    removeLeftovers(folder, ".tmp-");
    await writeNew(temporary, Buffer.concat([sha256(maker, results), maker, results]));
    await fsp.rename(temporary, join(folder, name));
  } catch {
    await fsp.rm(temporary, { force: true }).catch(() => undefined);
  }
}

export const keptKey = (...values: readonly unknown[]): string =>
  createHash("sha256").update(serialize(values)).digest("hex");
