import type { Alteration } from "../../ratings/index.js";
import { effectOf, isClosed, type Events, type Gap, type Linear } from "./influence.js";
import { unitsOf, type Units } from "./units.js";
import type { Budget } from "../budget.js";

/** The effect of each unit on the equations, sparse: entries of unit u from `start[u]` to `start[u + 1]`. */
export interface Effects {
  readonly units: number;
  readonly start: Int32Array;
  readonly equation: Int32Array;
  readonly amount: Float64Array;
}

/** Work of `effectsOf` for each event. */
export const passWork = 3;

/** The last result: `dropped` and `doubled` follow each other, and sets are searched in two ways. */
const latest = new WeakMap<
  Linear,
  { readonly units: Units; readonly alteration: Alteration; readonly effects: Effects }
>();

/** Whether `count` units may have an effect on every equation that does not hold. */
export function mayClose({ gap: { residual, slack }, touched }: Linear, { start }: Units, count: number): boolean {
  const open = residual.reduce((n, r, e) => n + Number(!(Math.abs(r) <= (slack[e] as number))), 0);
  let events = 0;
  for (let u = 1; u < start.length; u++) events = Math.max(events, (start[u] as number) - (start[u - 1] as number));
  return count * events * touched >= open;
}

/** Sums the effects of the events of each unit. */
export function effectsOf(linear: Linear, events: Events, units: Units, alteration: Alteration): Effects {
  const last = latest.get(linear);
  if (last?.units === units && last.alteration === alteration) return last.effects;
  const isOpposite = last?.units === units && last.alteration === "dropped" && alteration === "doubled";
  const effects = isOpposite
    ? { ...last.effects, amount: last.effects.amount.map((x) => -x) }
    : sum(linear, events, units, alteration);
  latest.set(linear, { units, alteration, effects });
  return effects;
}

function sum(linear: Linear, events: Events, { numbers, start, order }: Units, alteration: Alteration): Effects {
  const equations = linear.gap.residual.length;
  const total = new Float64Array(equations);
  const touchedBy = new Int32Array(equations).fill(-1);
  const touched: number[] = [];
  const begin = new Int32Array(numbers.length + 1);
  // Grown by half: lists of numbers, of which there are millions, would take three times the memory.
  let equation = new Int32Array(1024);
  let amount = new Float64Array(1024);
  let entries = 0;
  let unit = 0;
  const emit = (e: number, value: number): void => {
    if (touchedBy[e] !== unit) {
      touchedBy[e] = unit;
      touched.push(e);
      total[e] = 0;
    }
    total[e] = (total[e] as number) + value;
  };
  for (; unit < numbers.length; unit++) {
    touched.length = 0;
    for (let i = start[unit] as number; i < (start[unit + 1] as number); i++)
      effectOf(linear, events, order[i] as number, alteration, emit);
    if (entries + touched.length > amount.length) {
      const room = Math.ceil(1.5 * (entries + touched.length));
      equation = resized(equation, new Int32Array(room));
      amount = resized(amount, new Float64Array(room));
    }
    for (const e of touched) {
      if (total[e] === 0) continue;
      equation[entries] = e;
      amount[entries++] = total[e] as number;
    }
    begin[unit + 1] = entries;
  }
  return {
    units: numbers.length,
    start: begin,
    equation: equation.subarray(0, entries),
    amount: amount.subarray(0, entries),
  };
}

/** A column's values at the start of a longer one. */
function resized<C extends Int32Array | Float64Array>(column: C, longer: C): C {
  longer.set(column);
  return longer;
}

/** Subtracts the effect of a unit from `residual`, in place. */
export function subtract({ start, equation, amount }: Effects, unit: number, residual: Float64Array): void {
  for (let i = start[unit] as number; i < (start[unit + 1] as number); i++) {
    const e = equation[i] as number;
    residual[e] = (residual[e] as number) - (amount[i] as number);
  }
}

/** Root mean square of the effects on each equation. */
export function spreadOf({ units, equation, amount }: Effects, equations: number): Float64Array {
  const squares = new Float64Array(equations);
  for (let i = 0; i < equation.length; i++) {
    const e = equation[i] as number;
    squares[e] = (squares[e] as number) + (amount[i] as number) ** 2;
  }
  return squares.map((s) => Math.sqrt(s / Math.max(1, units)));
}

/** Weights of least squares: the inverse of what a unit's effect and the slack vary by, squared. */
export function weightsOf(effects: Effects, { residual, slack }: Gap): Float64Array {
  return spreadOf(effects, residual.length).map((s, e) => 1 / (s * s + (slack[e] as number) ** 2));
}

export function weightedSquares(residual: Float64Array, weights: Float64Array): number {
  return residual.reduce((total, r, e) => total + (weights[e] as number) * r * r, 0);
}

/** The part of the weighted squares of `residual` that the effect of a unit removes. */
export function gainOf(
  { start, equation, amount }: Effects,
  unit: number,
  residual: Float64Array,
  weights: Float64Array,
): number {
  let gain = 0;
  for (let i = start[unit] as number; i < (start[unit + 1] as number); i++) {
    const e = equation[i] as number;
    gain += (weights[e] as number) * (amount[i] as number) * (2 * (residual[e] as number) - (amount[i] as number));
  }
  return gain;
}

/** Ranks r such that leaving out every session from r on closes the gap, newest first. */
export function closingPrefixes(events: Events, linear: Linear, budget: Budget): number[] {
  const sessions = unitsOf(events, "session", true);
  if (!budget.spend(passWork * events.count)) return [];
  const effects = effectsOf(linear, events, sessions, "dropped");
  const residual = linear.gap.residual.slice();
  const found: number[] = [];
  for (let s = sessions.numbers.length - 1; s > 0; s--) {
    subtract(effects, s, residual);
    if (isClosed(residual, linear.gap.slack)) found.push(sessions.numbers[s] as number);
  }
  return found;
}
