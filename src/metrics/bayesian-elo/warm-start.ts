import { mmStrengths, strengthData } from "./strengths.js";
import type { BayesianEloConvention } from "../conventions.js";
import type { PairCounts } from "../pairs/pair-counts.js";

/**
 * λ from which the last early-stopped fit of a warm start begins: after each session the fit starts
 * from the one before it, with what was counted so far. `session` is sorted, one entry a count.
 * Undefined where the convention starts cold or does not stop early: the start does not matter then.
 */
export function warmStrengths(
  counts: PairCounts,
  session: Int32Array,
  convention: BayesianEloConvention,
): Float64Array | undefined {
  const { stop_elo: stopElo, start } = convention;
  if (stopElo === null || start === "cold") return undefined;
  let strength: Float64Array | undefined;
  for (let to = 1; to < session.length; to++) {
    if (session[to] === session[to - 1]) continue;
    const soFar: PairCounts = {
      items: counts.items,
      a: counts.a.subarray(0, to),
      b: counts.b.subarray(0, to),
      winsA: counts.winsA.subarray(0, to),
      winsB: counts.winsB.subarray(0, to),
      ties: counts.ties.subarray(0, to),
    };
    strength = mmStrengths(strengthData(soFar), convention, stopElo, strength).strength;
  }
  return strength;
}
