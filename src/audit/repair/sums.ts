import { metricKind } from "../../metrics/index.js";
import type { Alteration } from "../ratings/index.js";
import { allowance } from "../settings.js";
import { outcomeAfter, timesAfter, type Events, type Units } from "./events.js";
import type { Mismatch } from "./mismatch.js";

/** Sums of counts are whole or half numbers, and exact: only the order of additions shows. */
const countSlack = 1e-9;

/** Work of `effectsOf` for each event. */
export const passWork = 3;

/** The gap that a change must close: its effects on each equation must sum to `residual`, within `slack`. */
export interface Gap {
  readonly residual: Float64Array;
  readonly slack: Float64Array;
}

/** The effect of each unit on the equations, sparse: entries of unit u from `start[u]` to `start[u + 1]`. */
export interface UnitEffects {
  readonly units: number;
  readonly start: Int32Array;
  readonly equation: Int32Array;
  readonly amount: Float64Array;
}

/** The published numbers that are sums or averages over ratings, as equations. */
export interface SumEquations {
  readonly gap: Gap;
  /** The cells of the target that are such numbers. */
  readonly cells: ReadonlySet<number>;
  readonly effectsOf: (units: Units, alteration: Alteration) => UnitEffects;
}

interface Equation {
  readonly of: (x: number) => number;
  readonly number: number;
}

/**
 * A count says that its ratings sum to it; an average v of n ratings that Σ (x - v) is 0. Null if a published item has
 * no ratings.
 */
export function sumEquations(
  { target, evaluator, scenario }: Mismatch,
  { items, a, b, outcome, counted }: Events,
): SumEquations | null {
  const { kind, cells, halfWidth, group, tolerances } = target;
  const sums = metricKind(kind).sums?.(scenario.conventions, evaluator.sample(scenario)) ?? {};
  const index = new Map(items.map((item, i) => [item, i]));
  const equations: Equation[][] = items.map(() => []);
  const residual: number[] = [];
  const slack: number[] = [];
  const summed = new Set<number>();

  /** The sum over the counted ratings of an item. */
  const eventsOfItem: number[][] = items.map(() => []);
  for (let i = 0; i < counted.length; i++) {
    if (counted[i] === 0) continue;
    eventsOfItem[a[i]!]!.push(i);
    if (b !== null) eventsOfItem[b[i]!]!.push(i);
  }
  const sumOf = (item: number, of: (x: number) => number): number =>
    eventsOfItem[item]!.reduce((sum, i) => sum + of(a[i] === item ? outcome[i]! : -outcome[i]!), 0);
  const state = (item: number, of: (x: number) => number, total: number, within: number): void => {
    equations[item]!.push({ of, number: residual.length });
    residual.push(total - sumOf(item, of));
    slack.push(within);
  };

  for (const [c, { item, field, published }] of cells.entries()) {
    const i = index.get(item);
    if (i === undefined) return null;
    const sum = sums[field];
    if (sum === undefined) continue;
    summed.add(c);
    const { of, per, less = 0 } = sum;
    const value = published.value;
    const allowed = allowance(tolerances, kind, field, value);
    if (per === undefined) {
      // Halves may have been rounded to whole numbers.
      const rounding = Number.isInteger(of(0)) ? 0 : (group.precision[field]?.halfWidth ?? 0);
      state(i, of, value, countSlack + allowed + rounding);
    } else {
      // Twice the width: the change will change n too.
      const within = 2 * (halfWidth[c]! + allowed) * sumOf(i, per);
      state(i, (x) => of(x) - value * per(x), -value * less, within);
    }
  }
  const published = new Set(cells.map((cell) => cell.item));
  if (!group.isPartial)
    items.forEach((item, i) => {
      if (!published.has(item) && eventsOfItem[i]!.length > 0) state(i, () => 1, 0, countSlack);
    });

  return {
    gap: { residual: Float64Array.from(residual), slack: Float64Array.from(slack) },
    cells: summed,
    effectsOf: (units, alteration) =>
      effectsOf(units, residual.length, (event, emit) => emitChange(event, alteration, emit)),
  };

  function emitChange(event: number, alteration: Alteration, emit: Emit): void {
    const own = outcome[event]!;
    const times = counted[event]!;
    emitEvent(event, own, -times, emit);
    emitEvent(event, outcomeAfter(alteration, own), timesAfter(alteration, times), emit);
  }

  function emitEvent(event: number, x: number, times: number, emit: Emit): void {
    if (times === 0) return;
    for (const { of, number } of equations[a[event]!]!) emit(number, times * of(x));
    if (b !== null) for (const { of, number } of equations[b[event]!]!) emit(number, times * of(-x));
  }
}

type Emit = (equation: number, amount: number) => void;

/** Sums the effects of the events of each unit. */
function effectsOf(
  { numbers, start, order }: Units,
  equations: number,
  emitChange: (event: number, emit: Emit) => void,
): UnitEffects {
  const total = new Float64Array(equations);
  const touchedBy = new Int32Array(equations).fill(-1);
  const touched: number[] = [];
  const begin = new Int32Array(numbers.length + 1);
  // Grown by half: lists of numbers, of which there are millions, would take three times the memory.
  let equation = new Int32Array(1024);
  let amount = new Float64Array(1024);
  let entries = 0;
  let unit = 0;
  const emit: Emit = (e, value) => {
    if (touchedBy[e] !== unit) {
      touchedBy[e] = unit;
      touched.push(e);
      total[e] = 0;
    }
    total[e]! += value;
  };
  for (; unit < numbers.length; unit++) {
    touched.length = 0;
    for (let i = start[unit]!; i < start[unit + 1]!; i++) emitChange(order[i]!, emit);
    if (entries + touched.length > amount.length) {
      const room = Math.ceil(1.5 * (entries + touched.length));
      equation = resized(equation, new Int32Array(room));
      amount = resized(amount, new Float64Array(room));
    }
    for (const e of touched) {
      if (total[e] === 0) continue;
      equation[entries] = e;
      amount[entries++] = total[e]!;
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
export function subtract({ start, equation, amount }: UnitEffects, unit: number, residual: Float64Array): void {
  for (let i = start[unit]!; i < start[unit + 1]!; i++) residual[equation[i]!]! -= amount[i]!;
}

export function isClosed(residual: Float64Array, slack: Float64Array): boolean {
  return residual.every((r, e) => Math.abs(r) <= slack[e]!);
}

/** How many equations do not hold. */
const openIn = ({ residual, slack }: Gap): number =>
  residual.reduce((n, r, e) => n + Number(!(Math.abs(r) <= slack[e]!)), 0);

/** Whether `count` units may have an effect on every equation that does not hold: a slate has two items. */
export function mayClose({ units, start }: UnitEffects, gap: Gap, count: number): boolean {
  let most = 0;
  for (let u = 0; u < units; u++) most = Math.max(most, start[u + 1]! - start[u]!);
  return count * most >= openIn(gap);
}

/** Units whose own effect closes the gap. */
export function closingUnits(effects: UnitEffects, gap: Gap): number[] {
  const { residual, slack } = gap;
  const isOpen = (e: number, r: number): boolean => !(Math.abs(r) <= slack[e]!);
  const open = openIn(gap);
  const found: number[] = [];
  for (let u = 0; u < effects.units; u++) {
    let left = open;
    for (let i = effects.start[u]!; i < effects.start[u + 1]!; i++) {
      const e = effects.equation[i]!;
      left += Number(isOpen(e, residual[e]! - effects.amount[i]!)) - Number(isOpen(e, residual[e]!));
    }
    if (left === 0) found.push(u);
  }
  return found;
}
