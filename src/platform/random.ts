import { randomBytes } from "node:crypto";

/** A random number, uniform on [0, 1). The only access to randomness. */
export type Random = () => number;

export const systemRandom: Random = () => Math.random();

/** Cryptographically random lower-case hexadecimal text of `bytes` bytes. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString("hex");
}

/**
 * A small seeded generator (mulberry32): the same seed gives the same sequence on every machine.
 * For simulation and resampling, never for secrets.
 */
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
