/** The only access to randomness. */
import { randomBytes } from "node:crypto";

/** Uniform on [0, 1). */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();

/** Cryptographically random, in lower case. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

/** mulberry32: the same sequence everywhere. For simulation and resampling, never for secrets. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** The thing that each record names, with its number. */
interface DrawnFor {
  readonly kind: number;
  readonly ids: Int32Array;
  readonly own?: Float64Array;
}

const bits = new DataView(new ArrayBuffer(8));

function mixed(hash: number, value: number): number {
  bits.setFloat64(0, value + 0);
  let mix = hash;
  for (const at of [0, 4]) {
    mix = Math.imul(mix ^ bits.getInt32(at), 0x85ebca6b);
    mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
    mix ^= mix >>> 16;
  }
  return mix >>> 0;
}

/**
 * Sorts things by what their records say (colour refinement): no name decides what is drawn.
 * @param shared a number of each record
 */
export function namelessOrder(
  sizes: readonly number[],
  columns: readonly DrawnFor[],
  shared: Float64Array,
): Int32Array[] {
  let colours = sizes.map((size) => new Float64Array(size));
  for (let round = 0; round < 3; round++) {
    const next = sizes.map((size) => new Float64Array(size));
    const places = columns.map((column) => ({
      ...column,
      colour: colours[column.kind] ?? shared,
      sum: next[column.kind] ?? shared,
    }));
    shared.forEach((number, record) => {
      const named = places.map(({ kind, ids, colour, own = shared }) =>
        mixed(mixed(kind, colour[ids[record] ?? 0] ?? 0), own[record] ?? 0),
      );
      // Sums of integers are the same in any order.
      const whole = mixed(
        named.reduce((sum, one) => sum + one),
        number,
      );
      places.forEach(({ ids, sum }, at) => {
        const id = ids[record] ?? 0;
        sum[id] = (sum[id] ?? 0) + mixed(whole, named[at] ?? 0);
      });
    });
    colours = next;
  }
  return colours.map((own) =>
    Int32Array.from(own.keys()).sort((i, j) => (own[i] ?? 0) - (own[j] ?? 0) || i - j),
  );
}
