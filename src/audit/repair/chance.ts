import { carriedBits, widthsOf } from "../evidence.js";
import { fitOf } from "../target/index.js";
import type { Mismatch } from "./mismatch.js";

/** Bits by which the published numbers must outweigh the choice of a change: 1 in 32 by chance. */
export const chanceBits = 5;

/** log2 of the number of ways to choose k of n. */
export function log2Choose(n: number, k: number): number {
  let bits = 0;
  for (let i = 0; i < k; i++) bits += Math.log2((n - i) / (i + 1));
  return bits;
}

/**
 * Bits of which numbers differ and by how much, counting what the numbers of a field have in common once ("every n is
 * one lower"). If other ratings may count, a number moves in larger steps and carries less.
 */
export function bitsOfMisses({ target, evaluator, scenario }: Mismatch, isOther: boolean): number {
  const table = evaluator.table(target.kind, scenario);
  const { misses } = fitOf(target, table, scenario.rounding);
  const agreeing = target.cells.length - misses.length;
  const pattern = log2Choose(target.cells.length, Math.min(misses.length, agreeing));
  return pattern + carriedBits(target, table, widthsOf(target, evaluator, scenario, table, isOther), misses);
}
