import type { Table } from "../../metrics/index.js";
import { fitOf, modelOf, type Target } from "../target/index.js";
import type { SearchSpace } from "./edits.js";
import { eventsOf, type Units } from "./events.js";
import type { Budget, Mismatch } from "./mismatch.js";

/** The most sets of each size that are extended by one more unit. */
const widest = 8;

/** Units chosen so far. */
interface UnitSet {
  readonly units: readonly number[];
  /** How far the numbers still are from the published ones: weighted squares. */
  readonly left: number;
  readonly isMatch: boolean;
}

/**
 * Sets of units whose edit makes the numbers match where these are no sums: the units that bring the numbers nearest
 * are replayed one after the other, up to
 * `most`. None if the budget ends.
 */
export function nearestSets(
  { target, evaluator, scenario }: Mismatch,
  { edit, recomputation }: SearchSpace,
  units: Units,
  most: number,
  budget: Budget,
): number[][] {
  const weights = weightsOf(target, evaluator.table(target.kind, scenario));
  const all = [...units.numbers.keys()].reverse();
  let sets: readonly UnitSet[] = [{ units: [], left: Infinity, isMatch: false }];
  for (let size = 1; size <= most; size++) {
    const next = new Map<string, UnitSet>();
    for (const set of sets) {
      for (const u of all) {
        const grown = [...set.units, u].sort((x, y) => x - y);
        if (set.units.includes(u) || next.has(grown.join())) continue;
        const table = recomputation.after({ events: eventsOf(units, grown), alteration: edit.alteration });
        if (!budget.spend(recomputation.work())) return [];
        const isMatch = fitOf(target, table).missBits === 0;
        next.set(grown.join(), { units: grown, left: distanceOf(target, table, weights), isMatch });
      }
    }
    const matching = [...next.values()].filter((set) => set.isMatch);
    if (matching.length > 0) return matching.map((set) => [...set.units]);
    const nearest = [...next.values()].sort((x, y) => x.left - y.left);
    // Slates with the same answer have the same effect: one of them is extended.
    sets = nearest.filter((set, i) => set.left !== nearest[i - 1]?.left).slice(0, widest);
  }
  return [];
}

/** One over the squares by which the numbers of a field differ now, so that every field counts alike. */
function weightsOf(target: Target, own: Table): ReadonlyMap<string, number> {
  const model = modelOf(target, own);
  const squares = new Map<string, number>();
  target.cells.forEach(({ field, published }, i) => {
    const square = (published.value - model[i]!) ** 2 + target.halfWidth[i]! ** 2;
    squares.set(field, (squares.get(field) ?? 0) + square);
  });
  return new Map([...squares].map(([field, square]) => [field, 1 / square]));
}

function distanceOf(target: Target, table: Table, weights: ReadonlyMap<string, number>): number {
  const model = modelOf(target, table);
  return target.cells.reduce((sum, { field, published }, i) => {
    const square = (published.value - model[i]!) ** 2 * weights.get(field)!;
    return sum + (Number.isNaN(square) ? Infinity : square);
  }, 0);
}
