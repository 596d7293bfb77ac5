import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";

/** Serialised results of one kernel, by the digest of what they were computed from. */
export interface KeptResults {
  /** Of earlier runs. */
  readonly before: ReadonlyMap<string, Uint8Array>;
  /** What this run took of them, and what it computed. */
  readonly used: Map<string, Uint8Array>;
}

/** Numbers, and plain values for JSON. */
type Inputs = Readonly<Record<string, unknown>>;

/**
 * Gives what `compute` gives, or gave to an earlier run for the same `inputs`, which are all that it depends on. Items,
 * raters and sessions are numbered from 0 in them, because their ids change with the other experiments of a lake. The
 * result consists of numbers, arrays and plain objects.
 *
 * Only what no published number is compared with goes through this: intervals, ranges, draws and searches. So a verdict
 * never rests on a file that `verify` does not read.
 */
export type Keep = <T>(what: string, inputs: Inputs, compute: () => T) => T;

/** Computes everything. */
export const keepNothing: Keep = (_what, _inputs, compute) => compute();

/** Takes results from `before`, and notes all that it gives. */
export function keeping({ before, used }: KeptResults): Keep {
  return <T>(what: string, inputs: Inputs, compute: () => T): T => {
    const key = digestOf(what, inputs);
    const known = used.get(key) ?? before.get(key);
    if (known !== undefined) {
      used.set(key, known);
      return deserialize(known) as T;
    }
    const made = compute();
    used.set(key, serialize(made));
    return made;
  };
}

/** SHA-256: two inputs among n have the same one with a chance below n² / 2^257. */
function digestOf(what: string, inputs: Inputs): string {
  const hash = createHash("sha256");
  const names = Object.entries(inputs).map(([name, value]) =>
    ArrayBuffer.isView(value) ? [name, value.constructor.name, value.byteLength] : [name, value],
  );
  hash.update(JSON.stringify([what, names]));
  for (const value of Object.values(inputs))
    if (ArrayBuffer.isView(value)) hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  return hash.digest("hex");
}
