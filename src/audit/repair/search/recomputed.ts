import type { Evaluator } from "../../evaluate/evaluator.js";
import { patched, type Scenario } from "../../evaluate/scenario.js";
import { selectRatings } from "../../ratings/index.js";
import type { Target } from "../../target/index.js";
import type { Budget } from "../budget.js";
import { alterationsOf, matches, matchesAfter, unitNames, type EditOf } from "./edit.js";
import { metricKind } from "../../../metrics/index.js";

/**
 * Numbers without a known influence of single events (medians, means by rater, rater quality, early stops): single
 * units whose edit makes them match, each recomputed. Those of the first edit that has any.
 */
export function recomputedSingles(target: Target, evaluator: Evaluator, scenario: Scenario, budget: Budget): EditOf[] {
  const { ratings } = evaluator;
  const counted = selectRatings(ratings, scenario.population);
  const cost = costOf(target, evaluator);
  const isPairwise = metricKind(target.kind).family === "pairwise";
  for (const unit of unitNames) {
    if (unit === "rating") continue;
    const present = new Set(ratings[unit].filter((number, i) => counted[i] === 1 && number >= 0));
    for (const alteration of alterationsOf(unit, isPairwise)) {
      const found: EditOf[] = [];
      for (const number of present) {
        if (!budget.spend(cost)) break;
        const single = { edit: { unit, alteration, pool: null }, numbers: [number] };
        if (matchesAfter(target, evaluator, scenario, single)) found.push(single);
      }
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** The newest rank r such that the sessions before r alone give the published numbers, each recomputed. */
export function recomputedPrefixes(target: Target, evaluator: Evaluator, scenario: Scenario, budget: Budget): number[] {
  const { ratings } = evaluator;
  const counted = selectRatings(ratings, scenario.population);
  const ranks = [...new Set(ratings.session.filter((_, i) => counted[i] === 1))].sort((x, y) => y - x);
  for (const rank of ranks.slice(0, -1)) {
    if (!budget.spend(costOf(target, evaluator))) break;
    if (matches(target, evaluator, patched(scenario, { population: { first_sessions: rank } }))) return [rank];
  }
  return [];
}

/** A refit of Bayesian strengths costs as much as some thousand ratings. */
function costOf({ kind }: Target, { ratings }: Evaluator): number {
  return 4 * ratings.score.length + (kind === "bayesian_elo" ? 20_000 : 2_000);
}
