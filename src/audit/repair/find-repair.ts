import type { Evaluator, Scenario } from "../evaluate/index.js";
import type { Target } from "../target/index.js";
import { repairItems } from "./repair-items.js";
import { bitsOfMisses, createBudget, type Budget, type Mismatch } from "./mismatch.js";
import type { FoundRepair } from "./repair.js";
import { repairRatings } from "./repair-ratings.js";

/** Conventions under which the numbers nearly match, and the bits that name them. */
interface NearMiss {
  readonly name: string;
  readonly scenario: Scenario;
  readonly nameBits: number;
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
): FoundRepair | null {
  const budget = createBudget(work);
  const mismatch: Mismatch = { target, evaluator, scenario };
  const bits = evidenceIn(mismatch);
  const items = repairItems(mismatch, bits.ofItems, budget);
  if (items?.isCertain === true) return items.repair;
  const own = repairRatings(mismatch, bits.ofRatings, nearest === null ? budget : budget.share(0.5));
  if (own !== null) return own;
  return (nearest === null ? null : repairUnder(mismatch, nearest, bits, budget)) ?? items?.repair ?? null;
}

/** Bits for a change of published items and for one of ratings, which has to be named in fewer. */
interface Evidence {
  readonly ofItems: number;
  readonly ofRatings: number;
}

const evidenceIn = (mismatch: Mismatch): Evidence => ({
  ofItems: bitsOfMisses(mismatch, false),
  ofRatings: bitsOfMisses(mismatch, true),
});

/** A change together with conventions: the numbers must outweigh both. */
function repairUnder(mismatch: Mismatch, near: NearMiss, own: Evidence, budget: Budget): FoundRepair | null {
  const { name, scenario, nameBits } = near;
  const under = { ...mismatch, scenario };
  const bits = evidenceIn(under);
  const items = repairItems(under, Math.min(own.ofItems - nameBits, bits.ofItems), budget);
  const left = Math.min(own.ofRatings - nameBits, bits.ofRatings);
  const found = items?.isCertain === true ? items.repair : repairRatings(under, left, budget);
  return found === null ? null : { ...found, under: name, says: `under ${name}, ${found.says}` };
}
