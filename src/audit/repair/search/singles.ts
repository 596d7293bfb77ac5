import type { Budget } from "../budget.js";
import { closing, effectsOf, mayClose, passWork, spreadOf, take, type Effects } from "../influence/effects.js";
import type { Field } from "./candidates.js";
import { eventsOfUnit, unitsOf, type Units } from "../influence/units.js";
import type { Gap } from "../influence/influence.js";

/** A change found: the numbers of its units among the ratings, and its events. */
export interface Found {
  readonly field: Field;
  readonly numbers: readonly number[];
  /** Equal for changes of the same events. */
  readonly key: string;
}

/** Candidates confirmed at most in one field. */
const mostConfirmed = 400;

/** Single units that, changed, make the numbers follow; and how many there were. */
export function singlesOf(field: Field, budget: Budget): { found: Found[]; units: number } {
  const { influence, name, alteration } = field;
  const { events } = influence;
  const units = unitsOf(events, name, alteration !== "added");
  const found: Found[] = [];
  const linear = influence.linear();
  if (units.numbers.length === 0 || (influence.isExact && !mayClose(linear, events, units)))
    return { found, units: units.numbers.length };
  if (!budget.spend(passWork * events.count)) return { found, units: units.numbers.length };
  const effects = effectsOf(linear, events, units, alteration);
  const candidates = influence.isExact ? closing(effects, linear.gap) : likely(effects, linear.gap);
  for (const u of candidates.slice(0, mostConfirmed)) {
    if (!budget.spend(influence.cost)) break;
    const changed = eventsOfUnit(units, u);
    if (influence.follows({ events: changed, alteration }))
      found.push({ field, numbers: [units.numbers[u] as number], key: keyOf(units, [u], field) });
  }
  return { found, units: units.numbers.length };
}

/** Two units of the same events are one change under two names. */
export function keyOf(units: Units, chosen: readonly number[], { alteration }: Field): string {
  const events = chosen.flatMap((u) => [...eventsOfUnit(units, u)]).sort((x, y) => x - y);
  return `${alteration}:${events.join()}`;
}

/** Units whose first-order effect takes at least half of the squares away and all that is exact, best first. */
function likely(effects: Effects, gap: Gap): number[] {
  const spread = spreadOf(effects, gap.rest.length);
  const weight = spread.map((s, e) => 1 / (s * s + (gap.slack[e] as number) ** 2));
  const left = (rest: Float64Array): number => rest.reduce((sum, r, e) => sum + (weight[e] as number) * r * r, 0);
  const whole = left(gap.rest);
  const tried: { unit: number; left: number }[] = [];
  for (let unit = 0; unit < effects.units; unit++) {
    let gain = 0;
    for (let i = effects.start[unit] as number; i < (effects.start[unit + 1] as number); i++) {
      const e = effects.equation[i] as number;
      const amount = effects.amount[i] as number;
      gain += (weight[e] as number) * amount * (2 * (gap.rest[e] as number) - amount);
    }
    if (gain < 0.5 * whole) continue;
    const rest = gap.rest.slice();
    take(effects, unit, rest);
    tried.push({ unit, left: left(rest) });
  }
  return tried.sort((a, b) => a.left - b.left || a.unit - b.unit).map((t) => t.unit);
}
