import type { Evaluator } from "../evaluate/evaluator.js";
import type { Scenario } from "../evaluate/scenario.js";
import type { Target } from "../target/index.js";
import { Budget } from "./budget.js";
import type { Repair } from "./repair.js";
import { itemsOfRepair } from "./items/items.js";
import { ratingsOfRepair } from "./search/ratings.js";

/** Conventions under which the numbers come near without following. */
export interface Nearby {
  readonly name: string;
  readonly scenario: Scenario;
}

/** Ratings gone through before the search for the smallest difference ends. */
export const differenceWork = 1e8;

/**
 * What is left where no convention explains: what was done to the items; or the sessions, raters, slates or ratings
 * whose removal, repetition, reversal or addition reproduces the published numbers, under the run's own conventions
 * or under the nearest; else the few items that carry the difference. Null: none found within the bound on work.
 */
export function findRepair(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  nearest: Nearby | null = null,
  work = differenceWork,
): Repair | null {
  const budget = new Budget(work);
  const items = itemsOfRepair(target, evaluator, scenario, budget);
  if (items?.isCertain === true) return items.difference;
  const own = ratingsOfRepair(target, evaluator, scenario, nearest === null ? budget : budget.share(0.5));
  if (own !== null && own.change !== "undetermined") return own;
  const near = nearest === null ? null : underNearest(target, evaluator, nearest, budget);
  if (near !== null && near.change !== "undetermined") return near;
  if (items === null) return own ?? near;
  return own === null ? items.difference : { ...items.difference, says: `${items.difference.says}; ${own.says}` };
}

function underNearest(target: Target, evaluator: Evaluator, { name, scenario }: Nearby, budget: Budget): Repair | null {
  const items = itemsOfRepair(target, evaluator, scenario, budget);
  const found = items?.isCertain === true ? items.difference : ratingsOfRepair(target, evaluator, scenario, budget);
  return found === null ? null : { ...found, under: name, says: `under ${name}, ${found.says}` };
}
