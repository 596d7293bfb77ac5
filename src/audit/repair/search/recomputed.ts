import { selectRatings } from "../../ratings/index.js";
import type { Budget } from "../budget.js";
import { isMatch, withSessionsBefore, type Mismatch } from "../mismatch.js";
import { alterationsOf, isMatchAfter, unitNames, type EditOf } from "./edit.js";
import { metricKind } from "../../../metrics/index.js";

interface RecomputedSingles {
  readonly found: readonly EditOf[];
  /** Number of edits recomputed. */
  readonly tried: number;
}

/**
 * Numbers without a known influence of single events (medians, means by rater, rater quality, early stops): single
 * units whose edit makes them match, each recomputed. Those of the first edit that has any.
 */
export function recomputedSingles(mismatch: Mismatch, budget: Budget): RecomputedSingles {
  const { ratings } = mismatch.evaluator;
  const counted = selectRatings(ratings, mismatch.scenario.population);
  const cost = costOf(mismatch);
  const isPairwise = metricKind(mismatch.target.kind).family === "pairwise";
  let tried = 0;
  for (const unit of unitNames) {
    if (unit === "rating") continue;
    const present = new Set(ratings[unit].filter((number, i) => counted[i] === 1 && number >= 0));
    for (const alteration of alterationsOf(unit, isPairwise)) {
      const found: EditOf[] = [];
      for (const number of present) {
        if (!budget.spend(cost)) break;
        tried++;
        const single = { edit: { unit, alteration, pool: null }, numbers: [number] };
        if (isMatchAfter(mismatch, single)) found.push(single);
      }
      if (found.length > 0) return { found, tried };
    }
  }
  return { found: [], tried };
}

/** The newest rank r such that the sessions before r alone give the published numbers, each recomputed. */
export function recomputedPrefixes(mismatch: Mismatch, budget: Budget): number[] {
  const { ratings } = mismatch.evaluator;
  const counted = selectRatings(ratings, mismatch.scenario.population);
  const ranks = [...new Set(ratings.session.filter((_, i) => counted[i] === 1))].sort((x, y) => y - x);
  for (const rank of ranks.slice(0, -1)) {
    if (!budget.spend(costOf(mismatch))) break;
    if (isMatch(withSessionsBefore(mismatch, rank))) return [rank];
  }
  return [];
}

/** A refit of Bayesian strengths costs as much as some thousand ratings. */
function costOf({ target: { kind }, evaluator: { ratings } }: Mismatch): number {
  return 4 * ratings.score.length + (kind === "bayesian_elo" ? 20_000 : 2_000);
}
