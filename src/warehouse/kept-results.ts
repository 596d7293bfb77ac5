import { createHash } from "node:crypto";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { kernelsFile } from "../metrics/index.js";
import {
  fsp,
  makeDir,
  nameOfThisProcess,
  readFileSync,
  remembered,
  removeLeftovers,
  version,
  writeNew,
} from "../platform/index.js";

/** Where results are kept from run to run: a file for each name. */
export interface KeptFolder {
  readonly folder: string;
  /** Takes nothing from it, and replaces what is there. */
  readonly isFull?: boolean;
  /** Receives a line for each result that is there and cannot be used. */
  readonly warn?: ((line: string) => void) | undefined;
}

/** Serialised results, by the digest of what they were computed from. */
type KeptResults = ReadonlyMap<string, Uint8Array>;

const digestBytes = 32;

const digestOfCode = remembered((file) => createHash("sha256").update(readFileSync(file)).digest());

const sha256 = (...parts: readonly Uint8Array[]): Buffer =>
  createHash("sha256").update(Buffer.concat(parts)).digest();

/**
 * The SHA-256 of what results depend on beside their inputs: the kernels' code and the machine's
 * functions.
 */
const makerOf = (name: string): Buffer =>
  sha256(
    Buffer.from([name, version, process.versions.v8, process.arch].join(" ")),
    digestOfCode(kernelsFile),
  );

/**
 * Reads what is kept of a name. A file that is damaged, or of another version, is as good as none;
 * damage is told.
 */
async function readKept(
  { folder, isFull = false, warn }: KeptFolder,
  name: string,
): Promise<KeptResults> {
  const none = Buffer.alloc(0);
  const bytes = isFull ? none : await fsp.readFile(join(folder, name)).catch(() => none);
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

/** Results of a name that are kept: those of the settings or snapshots that were used last. */
const mostRemembered = 4;

/** Results of a name that are kept, the newest first. */
export async function recalled<T>(kept: KeptFolder, name: string): Promise<T[]> {
  return [...(await readKept(kept, name)).values()].map((one) => deserialize(one) as T);
}

/**
 * The result of a name that was made of inputs with this digest; null if it is not kept.
 * @param key of everything that the result depends on, `codeDigest` included
 */
export async function recall<T>(kept: KeptFolder, name: string, key: string): Promise<T | null> {
  const found = (await readKept(kept, name)).get(key);
  return found === undefined ? null : (deserialize(found) as T);
}

/**
 * Keeps a result beside the last few others of its name. What cannot be written is computed again
 * by the next run.
 */
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

/** SHA-256 of plain values: settings, or digests of what else a result depends on. */
export const keptKey = (...values: readonly unknown[]): string =>
  createHash("sha256").update(serialize(values)).digest("hex");
