import type { Alteration, RatingColumns } from "../../ratings/index.js";
import type { Events } from "./influence.js";

export type UnitName = "session" | "rater" | "slate" | "rating";

/** Events put together by session, rater, slate or rating. */
export interface Units {
  readonly name: UnitName;
  /** The number of each unit among the ratings. */
  readonly numbers: Int32Array;
  /** Events of unit u: `order` from `start[u]` to `start[u + 1]`, in order. */
  readonly start: Int32Array;
  readonly order: Int32Array;
}

export const unitNames: readonly UnitName[] = ["session", "rater", "slate", "rating"];

const known = new WeakMap<Events, Map<string, Units>>();

/** The units of one name whose events count (or, for what is added, do not count yet): put together once for each events. */
export function unitsOf(events: Events, name: UnitName, isCounted: boolean): Units {
  const own = known.get(events) ?? new Map<string, Units>();
  known.set(events, own);
  const key = `${name} ${isCounted}`;
  const units = own.get(key) ?? gathered(events, name, isCounted);
  own.set(key, units);
  return units;
}

function gathered(events: Events, name: UnitName, isCounted: boolean): Units {
  const column = events[name];
  const wanted = isCounted ? 1 : 0;
  const most = column.reduce((m, n) => Math.max(m, n), -1);
  const size = new Int32Array(most + 1);
  let total = 0;
  for (let i = 0; i < column.length; i++) {
    const n = column[i] as number;
    if (events.counted[i] !== wanted || n < 0) continue;
    size[n] = (size[n] as number) + 1;
    total++;
  }
  const numbers = Int32Array.from(size.keys()).filter((n) => (size[n] as number) > 0);
  const start = new Int32Array(numbers.length + 1);
  const next = new Int32Array(most + 1);
  numbers.forEach((n, u) => {
    next[n] = start[u] as number;
    start[u + 1] = (start[u] as number) + (size[n] as number);
  });
  const order = new Int32Array(total);
  for (let i = 0; i < column.length; i++) {
    const n = column[i] as number;
    if (events.counted[i] !== wanted || n < 0) continue;
    order[next[n] as number] = i;
    next[n] = (next[n] as number) + 1;
  }
  return { name, numbers, start, order };
}

export const eventsOfUnit = ({ start, order }: Units, unit: number): Int32Array =>
  order.subarray(start[unit], start[unit + 1]);

/** The events of some units, in order. */
export function eventsOf(units: Units, chosen: readonly number[]): Int32Array {
  const parts = chosen.map((u) => eventsOfUnit(units, u));
  const all = new Int32Array(parts.reduce((sum, p) => sum + p.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}

/** Some of the units, numbered anew. */
export function someOf(units: Units, chosen: readonly number[]): Units {
  const start = new Int32Array(chosen.length + 1);
  chosen.forEach((u, i) => (start[i + 1] = (start[i] as number) + eventsOfUnit(units, u).length));
  const order = new Int32Array(start.at(-1) ?? 0);
  chosen.forEach((u, i) => order.set(eventsOfUnit(units, u), start[i]));
  return { name: units.name, numbers: Int32Array.from(chosen, (u) => units.numbers[u] as number), start, order };
}

/** How a unit is called in a report. */
export function idOf(ratings: RatingColumns, name: UnitName, number: number): string {
  if (name === "session") return ratings.sessions[number]?.id ?? "";
  if (name === "rater") return ratings.raters[number] ?? "";
  if (name === "slate") return String(ratings.slateIds[number] ?? "");
  const slate = ratings.slate[number] as number;
  return `${slate === -1 ? "" : String(ratings.slateIds[slate])}/${ratings.stimuli[ratings.stimulus[number] as number]?.name ?? ""}`;
}

/** The ratings of each unit among the ratings: what `altered` is asked to change. */
export function memberOf(
  ratings: RatingColumns,
  name: UnitName,
  numbers: ReadonlySet<number>,
): (rating: number) => boolean {
  if (name === "rating") return (i) => numbers.has(i);
  const column = ratings[name];
  return (i) => numbers.has(column[i] as number);
}

/** Only comparisons can be turned round or tied, and a tie is looked for in single slates only. */
export function alterationsOf(name: UnitName, isPairwise: boolean): readonly Alteration[] {
  if (!isPairwise) return ["dropped", "doubled"];
  if (name === "rating") return [];
  return name === "slate" ? ["dropped", "doubled", "flipped", "tied"] : ["dropped", "doubled", "flipped"];
}
