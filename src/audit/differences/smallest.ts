import type { Evaluator } from "../evaluate/evaluator.js";
import type { Scenario } from "../hypotheses/scenario.js";
import type { Target } from "../search/target.js";
import type { SmallestDifference } from "./difference.js";
import { itemsOfDifference } from "./items.js";
import { ratingsOfDifference } from "./ratings.js";

/** Conventions under which the numbers come near without following. */
export interface Nearby {
  readonly name: string;
  readonly scenario: Scenario;
}

/** Ratings gone through before the search for the smallest difference ends. */
export const differenceWork = 1e8;

/**
 * What is left where no convention explains: the items that carry the difference or, where all do, the session,
 * rater or slate whose removal, repetition or reversal reproduces the published numbers. Null: none found within
 * the bound on work.
 */
export function smallestDifference(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  nearest: Nearby | null = null,
  work = differenceWork,
): SmallestDifference | null {
  const items = itemsOfDifference(target, evaluator.table(target.kind, scenario));
  if (items?.change === "exchanged" || items?.change === "renamed") return items;
  return ratingsOfDifference(target, evaluator.facts, scenario, work) ?? underNearest() ?? items;

  function underNearest(): SmallestDifference | null {
    if (nearest === null) return null;
    const found = ratingsOfDifference(target, evaluator.facts, nearest.scenario, work);
    return found === null ? null : { ...found, under: nearest.name, says: `under ${nearest.name}, ${found.says}` };
  }
}
