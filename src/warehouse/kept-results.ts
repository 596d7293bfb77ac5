import { createHash } from "node:crypto";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { kernelsFile, type KeptResults } from "../metrics/index.js";
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

/** Where results of kernels are kept from run to run: a file for each kernel, which holds what its last run used. */
export interface KeptFolder {
  readonly folder: string;
  /** Takes nothing from it, and replaces what is there. */
  readonly isFull?: boolean;
  /** Only reads. */
  readonly isReadOnly?: boolean;
}

const sealBytes = 32;

const digestOfCode = remembered((file) => createHash("sha256").update(readFileSync(file)).digest());

/** The SHA-256 of results and of what they depend on beside their inputs: the kernels' code and the machine's functions. */
function sealOf(kernel: string, results: Uint8Array): Buffer {
  const made = [kernel, version, process.versions.v8, process.arch].join(" ");
  return createHash("sha256").update(made).update(digestOfCode(kernelsFile)).update(results).digest();
}

/** Reads what is kept of a kernel. A file that is damaged, or of another version, is as good as none. */
export async function readKept({ folder, isFull = false }: KeptFolder, kernel: string): Promise<KeptResults> {
  const bytes = isFull ? Buffer.alloc(0) : await fsp.readFile(join(folder, kernel)).catch(() => Buffer.alloc(0));
  const results = bytes.subarray(sealBytes);
  const isIntact = bytes.length > sealBytes && sealOf(kernel, results).equals(bytes.subarray(0, sealBytes));
  return { before: isIntact ? (deserialize(results) as KeptResults["before"]) : new Map(), used: new Map() };
}

/** Keeps what a run used, if there is anything new. What cannot be written is computed again by the next run. */
export async function writeKept(
  { folder, isReadOnly = false }: KeptFolder,
  kernel: string,
  { before, used }: KeptResults,
): Promise<void> {
  if (isReadOnly || [...used.keys()].every((key) => before.has(key))) return;
  const results = serialize(used);
  const temporary = join(folder, `.tmp-${nameOfThisProcess()}`);
  try {
    await makeDir(folder);
    removeLeftovers(folder, ".tmp-");
    await writeNew(temporary, Buffer.concat([sealOf(kernel, results), results]));
    await fsp.rename(temporary, join(folder, kernel));
  } catch {
    await fsp.rm(temporary, { force: true }).catch(() => undefined);
  }
}
