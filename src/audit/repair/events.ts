import {
  amongPresent,
  emptyTable,
  isOfInterval,
  metricKind,
  pairCountsOf,
  raterPairCountsOf,
  tallied,
  type NamedPairs,
  type Sample,
  type Table,
} from "../../metrics/index.js";
import { cachedBy } from "../../platform/index.js";
import { groupedPairings, type Comparisons } from "../ratings/comparisons.js";
import { itemsOf, type RatingColumns } from "../ratings/rating-columns.js";
import { selectRatings, type Population } from "../ratings/population.js";
import { fitOf } from "../target.js";
import type { Alteration, Mismatch, UnitName } from "./repair.js";

/**
 * The ratings that may count, in order: comparisons for the pairwise kinds, single ratings for the
 * others.
 */
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
  /** Comparisons that each counts as; undefined: one each, or no comparisons. */
  readonly weight?: Float64Array | undefined;
  /** The rating of each event, for kinds that rate items one by one; empty for the others. */
  readonly rating: Int32Array;
}

/**
 * The events of `wide`, of which those of the mismatch count. Null if these are not a subsequence
 * of `wide`.
 */
export function eventsIn(
  { target, evaluator, scenario }: Mismatch,
  wide: Population,
): Events | null {
  const own = scenario.population;
  if (metricKind(target.kind).family === "scored")
    return scoredEvents(evaluator.ratings, own, wide);
  const all = evaluator.comparisons(wide);
  const counted =
    wide === own
      ? new Uint8Array(all.a.length).fill(1)
      : countedIn(evaluator.comparisons(own), all);
  if (counted === null) return null;
  const outcome = Float64Array.from(all.outcome);
  return { ...all, count: all.a.length, counted, outcome, rating: new Int32Array() };
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

function scoredEvents(
  ratings: RatingColumns,
  population: Population,
  wide: Population,
): Events | null {
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

/** Events grouped by session, rater, slate or rating. */
export interface UnitEvents {
  /** The number of each unit among the ratings, ascending. */
  readonly numbers: Int32Array;
  /** Events of unit u: `order` from `start[u]` to `start[u + 1]`, in order. */
  readonly start: Int32Array;
  readonly order: Int32Array;
}

/** The units whose events count, or (`added`) do not count yet. */
export const unitsOf = (events: Events, name: UnitName, alteration: Alteration): UnitEvents =>
  (alteration === "added" ? otherUnits : countedUnits)(events, name);

const countedUnits = cachedBy((events: Events, name: UnitName) => unitsThat(events, name, 1));
const otherUnits = cachedBy((events: Events, name: UnitName) => unitsThat(events, name, 0));

function unitsThat(events: Events, name: UnitName, counted: 0 | 1): UnitEvents {
  const column = events[name];
  const room = new Int32Array(column.length);
  let chosen = 0;
  for (let i = 0; i < column.length; i++)
    if (events.counted[i] === counted && column[i]! >= 0) room[chosen++] = i;
  const event = room.subarray(0, chosen);
  const all = groupedPairings(event.map((i) => column[i]!));
  const numbers = Int32Array.from(all.start.keys()).filter(
    (n) => all.start[n + 1]! > all.start[n]!,
  );
  return {
    numbers,
    start: Int32Array.from([...numbers.map((n) => all.start[n]!), event.length]),
    order: all.order.map((i) => event[i]!),
  };
}

/** An alteration of some events, in their order. */
export interface EventChange {
  readonly events: Int32Array;
  readonly alteration: Alteration;
}

/** The change of the chosen units. */
export function changeOf(
  { start, order }: UnitEvents,
  chosen: readonly number[],
  alteration: Alteration,
): EventChange {
  const events = new Int32Array(chosen.reduce((sum, u) => sum + start[u + 1]! - start[u]!, 0));
  let end = 0;
  for (const u of chosen) {
    events.set(order.subarray(start[u], start[u + 1]), end);
    end += start[u + 1]! - start[u]!;
  }
  return { events: chosen.length > 1 ? events.sort() : events, alteration };
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

/**
 * The numbers after a change; interval ends only if the others match. `work`: in numbers read or
 * written.
 */
export interface TableAfter {
  readonly table: Table;
  readonly work: number;
}

/** Work of an evaluation apart from what it reads. */
const overhead = 500;
/** Work of an item's interval ends. */
const endsWork = 2000;

/**
 * Recomputes the numbers of a mismatch after changes of some events, from counts where these
 * suffice.
 */
export function createRecomputation(
  { target, scenario, evaluator }: Mismatch,
  events: Events,
): (change: EventChange) => TableAfter {
  const kind = metricKind(target.kind);
  const times = events.counted.slice();
  const outcome = events.outcome.slice();
  let work = 0;
  const spend = (amount: number): void => {
    work += amount;
  };
  const now = { ...events, times, outcome };
  const { b } = events;
  const changing =
    b === null
      ? changingScores(now, spend)
      : changingPairs({ ...now, b }, evaluator.ratings.raters.length, spend);
  // What a kind measures once, it measures on the unchanged events.
  recomputed({ events: new Int32Array(), alteration: "dropped" });
  return recomputed;

  function recomputed({ events: changed, alteration }: EventChange): TableAfter {
    work = overhead + changed.length;
    for (const i of changed)
      set(i, timesAfter(alteration, times[i]!), outcomeAfter(alteration, outcome[i]!));
    const sample = changing.sample();
    const table = sample === null ? emptyTable : evaluated(sample);
    for (const i of changed) set(i, events.counted[i]!, events.outcome[i]!);
    return { table, work };
  }

  function set(event: number, toTimes: number, toOutcome: number): void {
    changing.add(event, -1);
    times[event] = toTimes;
    outcome[event] = toOutcome;
    changing.add(event, 1);
  }

  function evaluated(sample: Sample): Table {
    const table = kind.evaluate(sample, scenario.conventions, false);
    spend(10 * target.cells.length);
    const { misses } = fitOf(target, table);
    const isHopeful = misses.every((i) => isOfInterval(target.kind, target.cells[i]!.field));
    if (misses.length === 0 || !isHopeful) return table;
    spend(endsWork * table.items.length);
    return kind.evaluate(sample, scenario.conventions, true);
  }
}

/** Events of which some change: how often each counts, and its outcome. */
interface ChangingEvents extends Events {
  readonly times: Uint8Array;
}

type ChangingPairs = ChangingEvents & { readonly b: Int32Array };

interface ChangingSample {
  /** Takes an event out (-1) before it changes, and in (1) after it did. */
  readonly add: (event: number, sign: 1 | -1) => void;
  /** The sample as it is now; null if nothing counts. */
  readonly sample: () => Sample | null;
}

/**
 * The comparisons of each pair are kept up to date; the comparisons themselves are copied when a
 * kind reads them.
 */
function changingPairs(
  events: ChangingPairs,
  raters: number,
  spend: (work: number) => void,
): ChangingSample {
  const { a, b, times, outcome, items, counted, weight } = events;
  const all = pairCountsOf(items.length, { a, b, outcome: Int8Array.from(outcome) });
  const rowAt = new Map(Array.from(all.a, (left, row) => [left * items.length + all.b[row]!, row]));
  const rowOf = a.map((left, i) => rowAt.get(left * items.length + b[i]!)!);
  const rows = Int32Array.from(all.a.keys());
  const winsA = new Float64Array(rows.length);
  const winsB = new Float64Array(rows.length);
  const ties = new Float64Array(rows.length);
  const own = counted.reduce((sum, n) => sum + n, 0);
  const kept = new Map<string, unknown>();
  a.forEach((_, event) => add(event, 1));
  return { add, sample };

  function add(event: number, sign: 1 | -1): void {
    const result = outcome[event]!;
    const column = result > 0 ? winsA : result < 0 ? winsB : ties;
    column[rowOf[event]!]! += sign * times[event]! * (weight === undefined ? 1 : weight[event]!);
  }

  function sample(): Sample | null {
    const pairs = pairsNow();
    if (pairs.items.length === 0) return null;
    spend(6 * rows.length);
    const isWhole = pairs.items.length === items.length;
    const comparisons = () => latestOf(events, pairs.items, Infinity);
    return {
      ...tallied({ pairs }),
      spend,
      comparisons,
      // All of them if as many are wanted as there were before the change.
      latest: (wanted) => (wanted < own ? latestOf(events, pairs.items, wanted) : comparisons()),
      raterPairs: () => raterPairCountsOf(pairs.items.length, raters, comparisons()),
      kept<T extends object>(kind: string, _most: number, make: () => T) {
        const known = isWhole ? kept.get(kind) : undefined;
        const value = known ?? make();
        if (isWhole) kept.set(kind, value);
        return value as T;
      },
    };
  }

  function pairsNow(): NamedPairs {
    const met = rows.filter((row) => winsA[row]! + winsB[row]! + ties[row]! > 0);
    const column = (of: Float64Array): Float64Array => Float64Array.from(met, (row) => of[row]!);
    const { present, counts } = amongPresent({
      items: items.length,
      a: met.map((row) => all.a[row]!),
      b: met.map((row) => all.b[row]!),
      winsA: column(winsA),
      winsB: column(winsB),
      ties: column(ties),
    });
    return { items: Array.from(present, (i) => items[i]!), counts };
  }
}

/** The last `wanted` comparisons among `numbered` items, after a change. */
function latestOf(
  { a, b, session, rater, times, outcome, items, weight }: ChangingPairs,
  numbered: readonly string[],
  wanted: number,
) {
  const number = new Map(numbered.map((item, i) => [item, i]));
  const index = Int32Array.from(items, (item) => number.get(item) ?? -1);
  let from = times.length;
  let count = 0;
  while (from > 0 && count < wanted) count += times[--from]!;
  const latest = {
    a: new Int32Array(count),
    b: new Int32Array(count),
    session: new Int32Array(count),
    rater: new Int32Array(count),
    outcome: new Int8Array(count),
    weight: weight && new Float64Array(count),
  };
  let at = 0;
  for (let i = from; i < times.length; i++) {
    for (let n = times[i]!; n > 0; n--) {
      latest.a[at] = index[a[i]!]!;
      latest.b[at] = index[b[i]!]!;
      latest.session[at] = session[i]!;
      latest.rater[at] = rater[i]!;
      if (latest.weight !== undefined) latest.weight[at] = weight![i]!;
      latest.outcome[at++] = outcome[i]!;
    }
  }
  return latest;
}

/** The scores of the items with a changed rating are collected again. */
function changingScores(
  { a, rater, times, outcome, items }: ChangingEvents,
  spend: (work: number) => void,
): ChangingSample {
  const eventsOfItem: number[][] = items.map(() => []);
  a.forEach((item, event) => eventsOfItem[item]!.push(event));
  const stale = new Set(items.keys());
  const unsorted: Float64Array[] = [];
  const raters: Int32Array[] = [];
  const sorted: Float64Array[] = [];
  return { add: (event) => stale.add(a[event]!), sample };

  function sample(): Sample | null {
    for (const item of stale) {
      const counted = eventsOfItem[item]!.flatMap((event) =>
        Array<number>(times[event]!).fill(event),
      );
      unsorted[item] = Float64Array.from(counted, (event) => outcome[event]!);
      raters[item] = Int32Array.from(counted, (event) => rater[event]!);
      sorted[item] = unsorted[item].toSorted();
      spend(8 * counted.length);
    }
    stale.clear();
    const present = [...items.keys()].filter((item) => sorted[item]!.length > 0);
    if (present.length === 0) return null;
    const pick = <T>(of: readonly T[]): T[] => present.map((item) => of[item]!);
    const scores = {
      items: pick(items),
      scores: pick(sorted),
      unsorted: pick(unsorted),
      raters: pick(raters),
    };
    for (const own of scores.scores) spend(2 * own.length);
    return { ...tallied({ scores }), spend };
  }
}
