import { mmStrengths, type BayesianEloConvention, type PairCounts } from "../../metrics/index.js";
import type { Comparisons } from "../ratings/index.js";

/**
 * λ carried from session to session, each fit stopped at `stop` Elo, before the last session; undefined where there is
 * only one. `work`: pairs gone through.
 */
export function warmStart(
  c: Comparisons,
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
    data.wins[left] = (data.wins[left] as number) + share;
    data.wins[right] = (data.wins[right] as number) + 1 - share;
    const pair = pairOf[left * items + right] as number;
    data.comparisons[pair] = (data.comparisons[pair] as number) + 1;
    if (c.session[i] === c.session[i + 1]) continue;
    const fit = mmStrengths(data, convention, stop, strength);
    work += (fit.iterations * data.a.length) / 2;
    strength = fit.strength;
  }
  return { strength, work };
}
