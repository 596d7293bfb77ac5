import type { OrderedComparisons } from "../elo/online-elo.js";
import { addTo } from "../numeric/arrays.js";
import { countedTies } from "./bayesian-elo.js";
import { mmStrengths, strengthData } from "./strengths.js";
import type { BayesianEloConvention } from "./convention.js";
import type { PairCounts } from "../pairs/pair-counts.js";

/**
 * λ from which the last early-stopped fit of a warm start begins: after each session the fit starts
 * from the one before it, with what was counted so far. `session` is sorted, one entry per count.
 * Undefined if the convention starts cold or does not stop early: then the start does not matter.
 */
export function warmStrengths(
  counts: PairCounts,
  session: Int32Array,
  convention: BayesianEloConvention,
): Float64Array | undefined {
  const { stop_elo: stopElo, start } = convention;
  if (stopElo === null || start === "cold" || convention.ties === "davidson") return undefined;
  const { ties } = countedTies(counts, convention);
  let strength: Float64Array | undefined;
  for (let to = 1; to < session.length; to++) {
    if (session[to] === session[to - 1]) continue;
    const soFar: PairCounts = {
      items: counts.items,
      a: counts.a.subarray(0, to),
      b: counts.b.subarray(0, to),
      winsA: counts.winsA.subarray(0, to),
      winsB: counts.winsB.subarray(0, to),
      ties: ties.subarray(0, to),
    };
    strength = mmStrengths(strengthData(soFar), convention, stopElo, strength).strength;
  }
  return strength;
}

/**
 * λ carried from session to session, each fit stopped at `stop` Elo, before the last session; undefined if there is
 * only one. `work`: number of pairs processed.
 */
export function carriedStrengths(
  c: OrderedComparisons,
  counts: PairCounts,
  convention: BayesianEloConvention,
  stop: number,
): { strength: Float64Array | undefined; work: number } {
  const items = counts.items;
  const last = c.session.at(-1);
  const data = {
    a: counts.a,
    b: counts.b,
    wins: new Float64Array(items),
    comparisons: new Float64Array(counts.a.length),
  };
  const pairOf = new Int32Array(items * items);
  counts.a.forEach((left, pair) => {
    const right = counts.b[pair] as number;
    pairOf[left * items + right] = pairOf[right * items + left] = pair;
  });
  let strength: Float64Array | undefined;
  let work = 0;
  for (let i = 0; i < c.a.length && c.session[i] !== last; i++) {
    const left = c.a[i] as number;
    const right = c.b[i] as number;
    const share = ((c.outcome[i] as number) + 1) / 2;
    const counted = c.outcome[i] === 0 && convention.ties === "exclude" ? 0 : 1;
    addTo(data.wins, left, counted * share);
    addTo(data.wins, right, counted * (1 - share));
    const pair = pairOf[left * items + right] as number;
    addTo(data.comparisons, pair, counted);
    if (c.session[i] === c.session[i + 1]) continue;
    const fit = mmStrengths(data, convention, stop, strength);
    work += (fit.iterations * data.a.length) / 2;
    strength = fit.strength;
  }
  return { strength, work };
}
