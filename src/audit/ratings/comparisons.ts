import { type OrderedComparisons, amongPresent, pairCountsOf, type PairCounts } from "../../metrics/index.js";
import type { RatingColumns } from "./rating-columns.js";
import { pairingsOf, type CountedPairings } from "./pairings.js";
import { orderOf } from "./ordering.js";
import type { Population } from "./population.js";
import { slateGroupsOf } from "./slate-groups.js";

/** How often each pair of items met; items are those that some comparison names, sorted. */
export interface Pairs {
  readonly items: readonly string[];
  readonly counts: PairCounts;
  /** The number of each item among all names of the item key. */
  readonly present: Int32Array;
}

export function pairsOf(pairings: CountedPairings): Pairs {
  const { present, counts } = amongPresent(pairCountsOf(pairings.names.length, pairings, pairings.counted));
  return { items: Array.from(present, (item) => pairings.names[item] as string), counts, present };
}

/** The comparisons of one population in its order. */
export interface Comparisons extends OrderedComparisons {
  readonly items: readonly string[];
  readonly rater: Int32Array;
  readonly slate: Int32Array;
}

/** Items are those that some comparison names, sorted; of two items a is the one that sorts first. */
export function comparisonsOf(ratings: RatingColumns, p: Population): Comparisons {
  const pairings = pairingsOf(ratings, p);
  const { items, present } = pairsOf(pairings);
  const index = new Int32Array(pairings.names.length);
  present.forEach((item, i) => (index[item] = i));
  const { starts } = slateGroupsOf(ratings);
  const order = orderOf(ratings, p.order);
  const count = pairings.counted.reduce((sum, one) => sum + one, 0);
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
  for (let n = 0, next = 0; n < pairings.counted.length; n++) {
    const run = order === null ? n : (order[n] as number);
    if (pairings.counted[run] === 0) continue;
    const rating = starts[run] as number;
    c.a[next] = index[pairings.a[run] as number] as number;
    c.b[next] = index[pairings.b[run] as number] as number;
    c.outcome[next] = pairings.outcome[run] as number;
    c.session[next] = ratings.session[rating] as number;
    c.rater[next] = ratings.rater[rating] as number;
    c.slate[next++] = ratings.slate[rating] as number;
  }
  return c;
}
