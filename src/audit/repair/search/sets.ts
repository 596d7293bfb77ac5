import { chanceBits, log2Choose } from "./evidence.js";
import type { Budget } from "../budget.js";
import type { Field } from "./candidates.js";
import { effectsOf, passWork } from "../influence/effects.js";
import { pursue } from "./greedy.js";
import { closingSets } from "./subsets.js";
import { eventsOf, unitsOf } from "../influence/units.js";
import { keyOf, type Found } from "./singles.js";

/** Units of one set at most: sums of halves reach 6, the greedy search goes further where effects add up. */
const mostBySums = 6;
const mostByGreedySearch = { exact: 12, replayed: 6 } as const;

/** Sets of at least two units that, changed together, make the numbers follow, as far as `evidence` bears them out. */
export function setsOf(field: Field, evidence: number, smallerThan: number, budget: Budget): Found[] {
  const { influence, name, alteration } = field;
  const units = unitsOf(influence.events, name, alteration !== "added");
  const most = Math.min(largestSet(units.numbers.length, evidence), smallerThan);
  if (most < 2) return [];
  let sets: number[][] = [];
  if (influence.isExact && budget.spend(passWork * influence.events.count)) {
    const linear = influence.linear();
    const effects = effectsOf(linear, influence.events, units, alteration);
    sets = closingSets(effects, linear.gap, Math.min(most, mostBySums), budget.share(0.6)).filter(
      (set) => budget.spend(influence.cost) && influence.follows({ events: eventsOf(units, set), alteration }),
    );
  }
  if (sets.length === 0)
    sets = pursue(
      influence,
      units,
      alteration,
      Math.min(most, influence.isExact ? mostByGreedySearch.exact : mostByGreedySearch.replayed),
      budget,
    );
  return sets
    .filter((set) => set.length >= 2 && set.length <= most)
    .map((set) => ({ field, numbers: set.map((u) => units.numbers[u] as number), key: keyOf(units, set, field) }));
}

/** Bits to say which name, alteration and size a set has. */
const fieldBits = 5;

/** The most units that can be named in fewer bits than the published numbers outweigh. */
function largestSet(units: number, evidence: number): number {
  let size = 1;
  while (size < units && size < mostByGreedySearch.exact && setBits(units, size + 1) + chanceBits <= evidence) size++;
  return size;
}

function setBits(units: number, size: number): number {
  return fieldBits + log2Choose(units, size);
}
