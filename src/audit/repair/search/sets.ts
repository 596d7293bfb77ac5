import type { Budget } from "../budget.js";
import { effectsOf, eventsOf, passWork, unitsOf } from "../influence/index.js";
import { chanceBits, log2Choose } from "./evidence.js";
import { greedySearch } from "./greedy.js";
import { foundEdit, type FoundEdit } from "./singles.js";
import type { SearchSpace } from "./spaces.js";
import { closingSubsets } from "./subsets.js";

/** Maximum number of units in a set: among larger ones, chance finds a fit for almost any numbers. */
const mostUnits = 4;

/** Finds sets of two or more units whose edit makes the numbers match, no larger than `evidence` (bits) can support. */
export function closingUnitSets(
  { influence, edit }: SearchSpace,
  evidence: number,
  smallerThan: number,
  budget: Budget,
): FoundEdit[] {
  const { alteration } = edit;
  const units = unitsOf(influence.events, edit.unit, alteration !== "added");
  const most = Math.min(largestSet(units.numbers.length, evidence), smallerThan);
  if (most < 2) return [];
  const isExact = influence.replayed === null;
  let sets: number[][] = [];
  if (isExact && budget.spend(passWork * influence.events.count)) {
    const linear = influence.linear();
    const effects = effectsOf(linear, influence.events, units, alteration);
    sets = closingSubsets(effects, linear.gap, most, budget.share(0.6)).filter(
      (set) => budget.spend(influence.cost) && influence.matches({ events: eventsOf(units, set), alteration }),
    );
  }
  if (sets.length === 0) {
    sets = greedySearch(influence, units, alteration, most, budget);
  }
  return sets.filter((set) => set.length >= 2 && set.length <= most).map((set) => foundEdit(edit, units, set));
}

/** Bits to name the units, the alteration and the size of a set. */
const editBits = 5;

/** The most units that can be named in fewer bits than `evidence` has. */
function largestSet(units: number, evidence: number): number {
  const isSupported = (size: number): boolean => editBits + log2Choose(units, size) + chanceBits <= evidence;
  let size = 1;
  while (size < units && size < mostUnits && isSupported(size + 1)) size++;
  return size;
}
