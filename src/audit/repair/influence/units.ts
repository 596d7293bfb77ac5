import type { Events } from "./influence.js";

export type UnitName = "session" | "rater" | "slate" | "rating";

/** Events grouped by session, rater, slate or rating. */
export interface Units {
  readonly name: UnitName;
  /** The number of each unit among the ratings, ascending. */
  readonly numbers: Int32Array;
  /** Events of unit u: `order` from `start[u]` to `start[u + 1]`, in order. */
  readonly start: Int32Array;
  readonly order: Int32Array;
}

const known = new WeakMap<Events, Map<string, Units>>();

/** The units whose events count, or do not count yet; grouped once for each `events`. */
export function unitsOf(events: Events, name: UnitName, isCounted: boolean): Units {
  const own = known.get(events) ?? new Map<string, Units>();
  known.set(events, own);
  const key = `${name} ${isCounted}`;
  const units = own.get(key) ?? group(events, name, isCounted ? 1 : 0);
  own.set(key, units);
  return units;
}

function group(events: Events, name: UnitName, counted: 0 | 1): Units {
  const column = events[name];
  const isWanted = (i: number): boolean => events.counted[i] === counted && (column[i] as number) >= 0;
  const size = new Int32Array(column.reduce((m, n) => Math.max(m, n), -1) + 1);
  for (let i = 0; i < column.length; i++) {
    if (isWanted(i)) size[column[i] as number] = (size[column[i] as number] as number) + 1;
  }
  const numbers = Int32Array.from(size.keys()).filter((n) => (size[n] as number) > 0);
  const start = new Int32Array(numbers.length + 1);
  const next = new Int32Array(size.length);
  numbers.forEach((n, u) => {
    next[n] = start[u] as number;
    start[u + 1] = (start[u] as number) + (size[n] as number);
  });
  const order = new Int32Array(start.at(-1) ?? 0);
  for (let i = 0; i < column.length; i++) {
    if (!isWanted(i)) continue;
    const n = column[i] as number;
    order[next[n] as number] = i;
    next[n] = (next[n] as number) + 1;
  }
  return { name, numbers, start, order };
}

export const eventsOfUnit = ({ start, order }: Units, unit: number): Int32Array =>
  order.subarray(start[unit], start[unit + 1]);

/** The events of the chosen units, in order. */
export const eventsOf = (units: Units, chosen: readonly number[]): Int32Array => someOf(units, chosen).order.sort();

/** The chosen units, renumbered from 0. */
export function someOf(units: Units, chosen: readonly number[]): Units {
  const start = new Int32Array(chosen.length + 1);
  chosen.forEach((u, i) => (start[i + 1] = (start[i] as number) + eventsOfUnit(units, u).length));
  const order = new Int32Array(start.at(-1) ?? 0);
  chosen.forEach((u, i) => order.set(eventsOfUnit(units, u), start[i]));
  return { name: units.name, numbers: Int32Array.from(chosen, (u) => units.numbers[u] as number), start, order };
}
