import type { Alteration } from "../../ratings/index.js";
import { effectOf, type Events, type Gap, type Linear } from "./influence.js";
import type { Units } from "./units.js";

/** The effect of each unit on the equations, sparse: entries of unit u from `start[u]` to `start[u + 1]`. */
export interface Effects {
  readonly units: number;
  readonly start: Int32Array;
  readonly equation: Int32Array;
  readonly amount: Float64Array;
}

/** Work of `effectsOf` for each event. */
export const passWork = 3;

/** The last effects asked for: dropped and doubled follow one another, and sets are looked for in two ways. */
const latest = new WeakMap<
  Linear,
  { readonly units: Units; readonly alteration: Alteration; readonly effects: Effects }
>();

/** Sums the effects of the events of each unit. */
export function effectsOf(linear: Linear, events: Events, units: Units, alteration: Alteration): Effects {
  const last = latest.get(linear);
  if (last?.units === units && last.alteration === alteration) return last.effects;
  const isOpposite = last?.units === units && last.alteration === "dropped" && alteration === "doubled";
  const effects = isOpposite
    ? { ...last.effects, amount: last.effects.amount.map((x) => -x) }
    : gathered(linear, events, units, alteration);
  latest.set(linear, { units, alteration, effects });
  return effects;
}

function gathered(linear: Linear, events: Events, { numbers, start, order }: Units, alteration: Alteration): Effects {
  const equations = linear.gap.rest.length;
  const sum = new Float64Array(equations);
  const touchedBy = new Int32Array(equations).fill(-1);
  const touched: number[] = [];
  const begin = new Int32Array(numbers.length + 1);
  let equation = new Int32Array(1024);
  let amount = new Float64Array(1024);
  let size = 0;
  let unit = 0;
  const emit = (e: number, value: number): void => {
    if (touchedBy[e] !== unit) {
      touchedBy[e] = unit;
      touched.push(e);
      sum[e] = 0;
    }
    sum[e] = (sum[e] as number) + value;
  };
  for (; unit < numbers.length; unit++) {
    touched.length = 0;
    for (let i = start[unit] as number; i < (start[unit + 1] as number); i++)
      effectOf(linear, events, order[i] as number, alteration, emit);
    if (size + touched.length > equation.length) {
      equation = grown(equation, new Int32Array(2 * (size + touched.length)));
      amount = grown(amount, new Float64Array(2 * (size + touched.length)));
    }
    for (const e of touched) {
      if (sum[e] === 0) continue;
      equation[size] = e;
      amount[size++] = sum[e] as number;
    }
    begin[unit + 1] = size;
  }
  return {
    units: numbers.length,
    start: begin,
    equation: equation.subarray(0, size),
    amount: amount.subarray(0, size),
  };
}

function grown<T extends Int32Array | Float64Array>(from: T, into: T): T {
  into.set(from);
  return into;
}

/** Takes the effect of a unit, times `sign`, from `rest`. */
export function take({ start, equation, amount }: Effects, unit: number, rest: Float64Array, sign = 1): void {
  for (let i = start[unit] as number; i < (start[unit + 1] as number); i++) {
    const e = equation[i] as number;
    rest[e] = (rest[e] as number) - sign * (amount[i] as number);
  }
}

/** Whether single units may close the gap at all: small ones do not touch as many equations as are open. */
export function mayClose({ gap, contribution }: Linear, events: Events, { start, order }: Units): boolean {
  const open = gap.rest.reduce((n, r, e) => n + Number(!(Math.abs(r) <= (gap.slack[e] as number))), 0);
  let largest = 0;
  for (let u = 0; u + 1 < start.length; u++)
    largest = Math.max(largest, (start[u + 1] as number) - (start[u] as number));
  let touched = 0;
  for (const event of order.subarray(0, 50)) {
    let here = 0;
    contribution(event, events.outcome[event] ?? 0, 1, () => here++);
    contribution(event, -(events.outcome[event] ?? 0), 1, () => here++);
    touched = Math.max(touched, here);
  }
  // Twice what was seen: equations are much the same for all items.
  return open <= 2 * touched * largest;
}

/** Units whose own effect closes the gap. */
export function closing(effects: Effects, { rest, slack }: Gap): number[] {
  const left = rest.slice();
  let open = 0;
  const isOpen = (e: number): boolean => !(Math.abs(left[e] as number) <= (slack[e] as number));
  for (let e = 0; e < rest.length; e++) if (isOpen(e)) open++;
  const found: number[] = [];
  for (let u = 0; u < effects.units; u++) {
    const from = effects.start[u] as number;
    const to = effects.start[u + 1] as number;
    if (to - from < open) continue;
    let now = open;
    for (let i = from; i < to; i++) {
      const e = effects.equation[i] as number;
      const was = isOpen(e);
      left[e] = (rest[e] as number) - (effects.amount[i] as number);
      now += Number(isOpen(e)) - Number(was);
      left[e] = rest[e] as number;
    }
    if (now === 0) found.push(u);
  }
  return found;
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
