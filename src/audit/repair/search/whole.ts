import type { Evaluator } from "../../evaluate/evaluator.js";
import { selectRatings } from "../../ratings/index.js";
import { patched, type Scenario } from "../../evaluate/scenario.js";
import type { Target } from "../../target/index.js";
import type { Budget } from "../budget.js";
import { followsAnew, followsFrom, type Field } from "./candidates.js";
import { alterationsOf, unitNames } from "../influence/units.js";

/** A change found, without an influence of single events. */
export interface WholeFound {
  readonly field: Omit<Field, "influence">;
  readonly numbers: readonly number[];
}

const pairwise: ReadonlySet<string> = new Set(["win_loss", "percent_chosen", "elo", "bayesian_elo"]);

/** Numbers that are no sums (medians, means by rater, rater quality, early stops): each single change computed anew. */
export function wholeSingles(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  budget: Budget,
): { found: WholeFound[]; tried: number } {
  const { ratings } = evaluator;
  const counted = selectRatings(ratings, scenario.population);
  const cost = costOf(target, evaluator);
  let tried = 0;
  for (const name of unitNames) {
    if (name === "rating") continue;
    const present = new Set<number>();
    counted.forEach(
      (flag, i) => flag === 1 && (ratings[name][i] as number) >= 0 && present.add(ratings[name][i] as number),
    );
    for (const alteration of alterationsOf(name, pairwise.has(target.kind))) {
      const found: WholeFound[] = [];
      const field = { name, alteration, pool: null };
      for (const number of present) {
        if (!budget.spend(cost)) break;
        tried++;
        if (followsAnew(target, evaluator, scenario, field, [number])) found.push({ field, numbers: [number] });
      }
      if (found.length > 0) return { found, tried };
    }
  }
  return { found: [], tried };
}

/** Ranks r such that the sessions before r alone give the published numbers: computed anew, newest first. */
export function wholePrefixes(target: Target, evaluator: Evaluator, scenario: Scenario, budget: Budget): number[] {
  const { ratings } = evaluator;
  const counted = selectRatings(ratings, scenario.population);
  const ranks = [...new Set(ratings.session.filter((_, i) => counted[i] === 1))].sort((x, y) => y - x);
  for (const rank of ranks.slice(0, -1)) {
    if (!budget.spend(costOf(target, evaluator))) break;
    if (followsFrom(target, evaluator, patched(scenario, { population: { first_sessions: rank } }))) return [rank];
  }
  return [];
}

/** A refit of Bayesian strengths counts as some thousand ratings. */
function costOf({ kind }: Target, { ratings }: Evaluator): number {
  return 4 * ratings.score.length + (kind === "bayesian_elo" ? 20_000 : 2_000);
}
