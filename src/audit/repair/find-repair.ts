import type { Evaluator, Scenario } from "../evaluate/index.js";
import type { Target } from "../target/index.js";
import { createBudget, type Budget } from "./budget.js";
import { repairItems } from "./items/index.js";
import type { Mismatch } from "./mismatch.js";
import type { Repair } from "./repair.js";
import { repairRatings } from "./search/index.js";

/** Conventions under which the numbers nearly match. */
interface NearMiss {
  readonly name: string;
  readonly scenario: Scenario;
}

/** Default bound on the work of one repair, in numbers read or written. */
const repairWork = 1e8;

/**
 * Finds the smallest change that makes the published numbers match where no convention explains them: a change to the
 * published items; or sessions, raters, slates or ratings that were left out, repeated, reversed or added, under the
 * run's own conventions or under the nearest ones; otherwise the few items that differ. Null: none found within `work`.
 */
export function findRepair(
  target: Target,
  evaluator: Evaluator,
  scenario: Scenario,
  nearest: NearMiss | null = null,
  work = repairWork,
): Repair | null {
  const budget = createBudget(work);
  const mismatch: Mismatch = { target, evaluator, scenario };
  const items = repairItems(mismatch, budget);
  if (items?.isCertain === true) return items.repair;
  const own = repairRatings(mismatch, nearest === null ? budget : budget.share(0.5));
  if (own !== null) return own;
  return (nearest === null ? null : repairUnder(mismatch, nearest, budget)) ?? items?.repair ?? null;
}

function repairUnder(mismatch: Mismatch, { name, scenario }: NearMiss, budget: Budget): Repair | null {
  const under = { ...mismatch, scenario };
  const items = repairItems(under, budget);
  const found = items?.isCertain === true ? items.repair : repairRatings(under, budget);
  return found === null ? null : { ...found, under: name, says: `under ${name}, ${found.says}` };
}
