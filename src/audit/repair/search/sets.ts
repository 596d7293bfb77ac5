import type { Budget } from "../budget.js";
import { effectsOf, eventsOf, mayClose, passWork, unitsOf } from "../influence/index.js";
import { chanceBits, log2Choose } from "../chance.js";
import { replayedSets } from "./replayed-sets.js";
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
  if (most < 2 || !mayClose(influence.linear(), units, most)) return [];
  const { replayed } = influence;
  const sets =
    replayed === null ? sumSets() : replayedSets({ ...influence, replayed }, units, alteration, most, budget);
  return sets.filter((set) => set.length >= 2 && set.length <= most).map((set) => foundEdit(edit, units, set));

  /** Where effects add up, every set whose effects close the gap. */
  function sumSets(): number[][] {
    if (!budget.spend(passWork * influence.events.count)) return [];
    const linear = influence.linear();
    const effects = effectsOf(linear, influence.events, units, alteration);
    return closingSubsets(effects, linear.gap, most, budget).filter(
      (set) => budget.spend(influence.cost) && influence.matches({ events: eventsOf(units, set), alteration }),
    );
  }
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
