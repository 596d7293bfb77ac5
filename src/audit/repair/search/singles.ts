import type { Budget } from "../budget.js";
import {
  effectsOf,
  eventsOf,
  gainOf,
  mayClose,
  passWork,
  subtract,
  unitsOf,
  weightedSquares,
  weightsOf,
  type Effects,
  type Gap,
  type Units,
} from "../influence/index.js";
import type { Edit, EditOf } from "./edit.js";
import type { SearchSpace } from "./spaces.js";

/** An edit that makes the numbers match. */
export interface FoundEdit extends EditOf {
  /** Equal for equal changes of the same events. */
  readonly key: string;
}

/** Maximum number of candidates to check in one space. */
const mostChecked = 400;

/** Finds single units whose edit makes the numbers match. `units` is the number of candidates. */
export function closingSingles(
  { influence, edit }: SearchSpace,
  budget: Budget,
): { found: FoundEdit[]; units: number } {
  const { events } = influence;
  const { alteration } = edit;
  const units = unitsOf(events, edit.unit, alteration !== "added");
  const found: FoundEdit[] = [];
  const result = { found, units: units.numbers.length };
  const linear = influence.linear();
  const isExact = influence.replayed === null;
  if (!mayClose(linear, units, 1)) return result;
  if (!budget.spend(passWork * events.count)) return result;
  const effects = effectsOf(linear, events, units, alteration);
  const candidates = isExact ? closingUnits(effects, linear.gap) : promisingUnits(effects, linear.gap);
  for (const u of candidates.slice(0, mostChecked)) {
    if (!budget.spend(influence.cost)) break;
    if (influence.matches({ events: eventsOf(units, [u]), alteration })) found.push(foundEdit(edit, units, [u]));
  }
  return result;
}

/** Two units of the same events are one change under two names. */
export function foundEdit(edit: Edit, units: Units, chosen: readonly number[]): FoundEdit {
  return {
    edit,
    numbers: chosen.map((u) => units.numbers[u] as number),
    key: `${edit.alteration}:${eventsOf(units, chosen).join()}`,
  };
}

/** Units whose own effect closes the gap. */
function closingUnits(effects: Effects, { residual, slack }: Gap): number[] {
  const isOpen = (e: number, r: number): boolean => !(Math.abs(r) <= (slack[e] as number));
  const open = residual.reduce((n, r, e) => n + Number(isOpen(e, r)), 0);
  const found: number[] = [];
  for (let u = 0; u < effects.units; u++) {
    const to = effects.start[u + 1] as number;
    let left = open;
    if (to - (effects.start[u] as number) < open) continue;
    for (let i = effects.start[u] as number; i < to; i++) {
      const e = effects.equation[i] as number;
      const r = residual[e] as number;
      left += Number(isOpen(e, r - (effects.amount[i] as number))) - Number(isOpen(e, r));
    }
    if (left === 0) found.push(u);
  }
  return found;
}

/** Units whose first-order effect removes at least half of the squares, best first. */
function promisingUnits(effects: Effects, gap: Gap): number[] {
  const weights = weightsOf(effects, gap);
  const all = weightedSquares(gap.residual, weights);
  const tried: { unit: number; left: number }[] = [];
  for (let unit = 0; unit < effects.units; unit++) {
    if (gainOf(effects, unit, gap.residual, weights) < 0.5 * all) continue;
    const residual = gap.residual.slice();
    subtract(effects, unit, residual);
    tried.push({ unit, left: weightedSquares(residual, weights) });
  }
  return tried.sort((a, b) => a.left - b.left || a.unit - b.unit).map((t) => t.unit);
}
