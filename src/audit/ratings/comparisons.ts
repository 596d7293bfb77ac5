import type { OrderedComparisons } from "../../metrics/elo.js";
import { amongPresent, pairCountsOf, type PairCounts } from "../../metrics/pair-counts.js";
import type { Facts } from "./rating-columns.js";
import { meetingsOf, type CountedMeetings } from "./pairings.js";
import { orderOf } from "./ordering.js";
import type { Population } from "./population.js";
import { runsOf } from "./slate-groups.js";

/** How often each pair of items met; items are those that some comparison names, sorted. */
export interface Pairs {
  readonly items: readonly string[];
  readonly counts: PairCounts;
  /** The number of each item among all names of the item key. */
  readonly present: Int32Array;
}

export function pairsOf(meetings: CountedMeetings): Pairs {
  const { present, counts } = amongPresent(pairCountsOf(meetings.names.length, meetings, meetings.counted));
  return { items: Array.from(present, (item) => meetings.names[item] as string), counts, present };
}

/** The comparisons of one population in its order. */
export interface Comparisons extends OrderedComparisons {
  readonly items: readonly string[];
  readonly rater: Int32Array;
  readonly slate: Int32Array;
}

/** Items are those that some comparison names, sorted; of two items a is the one that sorts first. */
export function comparisonsOf(facts: Facts, p: Population): Comparisons {
  const meetings = meetingsOf(facts, p);
  const { items, present } = pairsOf(meetings);
  const index = new Int32Array(meetings.names.length);
  present.forEach((item, i) => (index[item] = i));
  const { starts } = runsOf(facts);
  const order = orderOf(facts, p.order);
  const count = meetings.counted.reduce((sum, one) => sum + one, 0);
  const column = (): Int32Array => new Int32Array(count);
  const c = {
    items,
    a: column(),
    b: column(),
    outcome: new Int8Array(count),
    session: column(),
    rater: column(),
    slate: column(),
  };
  for (let n = 0, next = 0; n < meetings.counted.length; n++) {
    const run = order === null ? n : (order[n] as number);
    if (meetings.counted[run] === 0) continue;
    const rating = starts[run] as number;
    c.a[next] = index[meetings.a[run] as number] as number;
    c.b[next] = index[meetings.b[run] as number] as number;
    c.outcome[next] = meetings.outcome[run] as number;
    c.session[next] = facts.session[rating] as number;
    c.rater[next] = facts.rater[rating] as number;
    c.slate[next++] = facts.slate[rating] as number;
  }
  return c;
}
