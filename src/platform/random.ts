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
