import { metricKind } from "../../metrics/index.js";
import {
  itemsOf,
  selectRatings,
  type Alteration,
  type Comparisons,
  type Population,
  type RatingColumns,
} from "../ratings/index.js";
import type { Mismatch } from "./mismatch.js";

/** The ratings that may count, in order: comparisons for the pairwise kinds, single ratings for the others. */
export interface Events {
  readonly count: number;
  /** Every item of an event, sorted. */
  readonly items: readonly string[];
  /** 1 for an event that counts, 0 for one that would only be added. */
  readonly counted: Uint8Array;
  /** The item of each event; in a comparison the one that sorts first, and the other one is `b`. */
  readonly a: Int32Array;
  readonly b: Int32Array | null;
  /** The score; in a comparison 1 if a was preferred, -1 if b was, 0 for a tie. */
  readonly outcome: Float64Array;
  readonly session: Int32Array;
  readonly rater: Int32Array;
  readonly slate: Int32Array;
  /** The rating of each event, for kinds that rate items one by one; empty for the others. */
  readonly rating: Int32Array;
}

/** The events of `wide`, of which those of the mismatch count. Null if these are not a subsequence of `wide`. */
export function eventsIn({ target, evaluator, scenario }: Mismatch, wide: Population): Events | null {
  const own = scenario.population;
  if (metricKind(target.kind).family === "scored") return scoredEvents(evaluator.ratings, own, wide);
  const all = evaluator.comparisons(wide);
  const counted = wide === own ? new Uint8Array(all.a.length).fill(1) : countedIn(evaluator.comparisons(own), all);
  return (
    counted && {
      ...all,
      count: all.a.length,
      counted,
      outcome: Float64Array.from(all.outcome),
      rating: new Int32Array(),
    }
  );
}

function countedIn(own: Comparisons, wide: Comparisons): Uint8Array | null {
  const counted = new Uint8Array(wide.a.length);
  let next = 0;
  for (let i = 0; i < counted.length && next < own.a.length; i++) {
    const isSame =
      wide.slate[i] === own.slate[next] &&
      wide.items[wide.a[i]!] === own.items[own.a[next]!] &&
      wide.items[wide.b[i]!] === own.items[own.b[next]!];
    if (!isSame) continue;
    counted[i] = 1;
    next++;
  }
  return next === own.a.length ? counted : null;
}

function scoredEvents(ratings: RatingColumns, population: Population, wide: Population): Events | null {
  const own = selectRatings(ratings, population);
  const chosen = wide === population ? own : selectRatings(ratings, wide);
  if (own.some((flag, i) => flag > chosen[i]!)) return null;
  const { names, ofStimulus } = itemsOf(ratings, population.item);
  const rating = Int32Array.from(chosen.keys()).filter((i) => chosen[i] === 1);
  const pick = (column: Int32Array): Int32Array => rating.map((i) => column[i]!);
  return {
    count: rating.length,
    items: names,
    counted: Uint8Array.from(rating, (i) => own[i]!),
    a: rating.map((i) => ofStimulus[ratings.stimulus[i]!]!),
    b: null,
    outcome: Float64Array.from(rating, (i) => ratings.score[i]!),
    session: pick(ratings.session),
    rater: pick(ratings.rater),
    slate: pick(ratings.slate),
    rating,
  };
}

/** An alteration of some events, in their order. */
export interface EventChange {
  readonly events: Int32Array;
  readonly alteration: Alteration;
}

/** How often an altered event counts. */
export function timesAfter(alteration: Alteration, times: number): number {
  if (alteration === "dropped") return 0;
  if (alteration === "doubled") return 2;
  return alteration === "added" ? 1 : times;
}

/** The outcome of an altered event. */
export function outcomeAfter(alteration: Alteration, outcome: number): number {
  if (alteration === "flipped") return -outcome;
  return alteration === "tied" ? 0 : outcome;
}

export type UnitName = "session" | "rater" | "slate" | "rating";

/** Events grouped by session, rater, slate or rating. */
export interface Units {
  /** The number of each unit among the ratings, ascending. */
  readonly numbers: Int32Array;
  /** Events of unit u: `order` from `start[u]` to `start[u + 1]`, in order. */
  readonly start: Int32Array;
  readonly order: Int32Array;
}

/** The units whose events count, or (`added`) do not count yet. */
export function unitsOf(events: Events, name: UnitName, alteration: Alteration): Units {
  const column = events[name];
  const counted = alteration === "added" ? 0 : 1;
  const isWanted = (i: number): boolean => events.counted[i] === counted && column[i]! >= 0;
  const size = new Int32Array(column.reduce((m, n) => Math.max(m, n), -1) + 1);
  for (let i = 0; i < column.length; i++) if (isWanted(i)) size[column[i]!]!++;
  const numbers = Int32Array.from(size.keys()).filter((n) => size[n]! > 0);
  const start = new Int32Array(numbers.length + 1);
  const next = new Int32Array(size.length);
  numbers.forEach((n, u) => {
    next[n] = start[u]!;
    start[u + 1] = start[u]! + size[n]!;
  });
  const order = new Int32Array(start.at(-1)!);
  for (let i = 0; i < column.length; i++) if (isWanted(i)) order[next[column[i]!]!++] = i;
  return { numbers, start, order };
}

/** The events of the chosen units, in order. */
export function eventsOf({ start, order }: Units, chosen: readonly number[]): Int32Array {
  const [only] = chosen;
  if (only !== undefined && chosen.length === 1) return order.subarray(start[only], start[only + 1]);
  const parts = chosen.map((u) => order.subarray(start[u], start[u + 1]));
  const all = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all.sort();
}
