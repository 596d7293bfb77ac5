import {
  amongPresent,
  emptyTable,
  isIntervalEnd,
  metricKind,
  pairCountsOf,
  raterPairCountsOf,
  tallied,
  type NamedPairs,
  type Sample,
  type Table,
} from "../../metrics/index.js";
import { fitOf } from "../target/index.js";
import { outcomeAfter, timesAfter, type EventChange, type Events } from "./events.js";
import type { Mismatch } from "./mismatch.js";

/** Recomputes the numbers of a mismatch after changes of single events, from counts where these suffice. */
export interface Recomputation {
  /** The numbers after a change; interval ends only if the others match. */
  readonly after: (change: EventChange) => Table;
  /** What the last one cost, in numbers read or written. */
  readonly work: () => number;
}

/** Work of an evaluation apart from what it reads. */
const overhead = 500;
/** Work of an item's interval ends. */
const endsWork = 2000;

export function createRecomputation({ target, scenario, evaluator }: Mismatch, events: Events): Recomputation {
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
    b === null ? changingScores(now, spend) : changingPairs({ ...now, b }, evaluator.ratings.raters.length, spend);
  // What a kind measures once, it measures on the unchanged events.
  after({ events: new Int32Array(), alteration: "dropped" });
  return { after, work: () => work };

  function after({ events: changed, alteration }: EventChange): Table {
    work = overhead + changed.length;
    for (const i of changed) set(i, timesAfter(alteration, times[i]!), outcomeAfter(alteration, outcome[i]!));
    const sample = changing.sample();
    const table = sample === null ? emptyTable : evaluated(sample);
    for (const i of changed) set(i, events.counted[i]!, events.outcome[i]!);
    return table;
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
    const isHopeful = misses.every((i) => isIntervalEnd(target.kind, target.cells[i]!.field));
    if (misses.length === 0 || !isHopeful) return table;
    spend(endsWork * table.items.length);
    return kind.evaluate(sample, scenario.conventions, true);
  }
}

/** Events of which some change: how often each counts, and its outcome. */
interface ChangingEvents extends Events {
  readonly times: Uint8Array;
}

interface ChangingSample {
  /** Takes an event out (-1) before it changes, and in (1) after it did. */
  readonly add: (event: number, sign: 1 | -1) => void;
  /** The sample as it is now; null if nothing counts. */
  readonly sample: () => Sample | null;
}

/** The comparisons of each pair are kept up to date; the comparisons themselves are copied when a kind reads them. */
function changingPairs(
  { a, b, session, rater, times, outcome, items, counted }: ChangingEvents & { readonly b: Int32Array },
  raters: number,
  spend: (work: number) => void,
): ChangingSample {
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
    column[rowOf[event]!]! += sign * times[event]!;
  }

  function sample(): Sample | null {
    const pairs = pairsNow();
    if (pairs.items.length === 0) return null;
    spend(6 * rows.length);
    const isWhole = pairs.items.length === items.length;
    const comparisons = () => latestOf(pairs, Infinity);
    return {
      ...tallied({ pairs }),
      spend,
      comparisons,
      latest: (wanted) => latestOf(pairs, wanted),
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

  /** The last `wanted` comparisons; all of them if as many are wanted as there were before the change. */
  function latestOf(pairs: NamedPairs, wanted: number) {
    const number = new Map(pairs.items.map((item, i) => [item, i]));
    const index = Int32Array.from(items, (item) => number.get(item) ?? -1);
    let from = times.length;
    let count = 0;
    while (from > 0 && (count < wanted || wanted >= own)) count += times[--from]!;
    const column = (): Int32Array => new Int32Array(count);
    const latest = { a: column(), b: column(), session: column(), rater: column(), outcome: new Int8Array(count) };
    for (let i = from, at = 0; i < times.length; i++) {
      for (let n = 0; n < times[i]!; n++, at++) {
        latest.a[at] = index[a[i]!]!;
        latest.b[at] = index[b[i]!]!;
        latest.session[at] = session[i]!;
        latest.rater[at] = rater[i]!;
        latest.outcome[at] = outcome[i]!;
      }
    }
    return latest;
  }
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
      const counted = eventsOfItem[item]!.flatMap((event) => Array<number>(times[event]!).fill(event));
      unsorted[item] = Float64Array.from(counted, (event) => outcome[event]!);
      raters[item] = Int32Array.from(counted, (event) => rater[event]!);
      sorted[item] = unsorted[item].toSorted();
      spend(8 * counted.length);
    }
    stale.clear();
    const present = [...items.keys()].filter((item) => sorted[item]!.length > 0);
    if (present.length === 0) return null;
    const pick = <T>(of: readonly T[]): T[] => present.map((item) => of[item]!);
    const scores = { items: pick(items), scores: pick(sorted), unsorted: pick(unsorted), raters: pick(raters) };
    for (const own of scores.scores) spend(2 * own.length);
    return { ...tallied({ scores }), spend };
  }
}
