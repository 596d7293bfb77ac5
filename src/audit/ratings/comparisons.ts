import { amongPresent, pairCountsOf, type OrderedComparisons, type PairCounts } from "../../metrics/index.js";
import { orderOf } from "./ordering.js";
import { pairingsOf, type CountedPairings } from "./pairings.js";
import type { Population } from "./population.js";
import type { RatingColumns } from "./rating-columns.js";
import { slateGroupsOf } from "./slate-groups.js";

/** How often each pair of items met; the items are those of some comparison, sorted. */
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

/** The items are those of some comparison, sorted; of the two items of a comparison, a is the one that sorts first. */
export function comparisonsOf(ratings: RatingColumns, p: Population): Comparisons {
  const pairings = pairingsOf(ratings, p);
  const { items, present } = pairsOf(pairings);
  const index = new Int32Array(pairings.names.length);
  present.forEach((item, i) => (index[item] = i));
  const { starts } = slateGroupsOf(ratings);
  const order = orderOf(ratings, p.order);
  const count = pairings.counted.reduce((sum, one) => sum + one, 0);
  const column = (): Int32Array => new Int32Array(count);
  const [a, b, session, rater, slate] = [column(), column(), column(), column(), column()];
  const outcome = new Int8Array(count);
  for (let n = 0, next = 0; n < pairings.counted.length; n++) {
    const group = order === null ? n : (order[n] as number);
    if (pairings.counted[group] === 0) continue;
    const rating = starts[group] as number;
    a[next] = index[pairings.a[group] as number] as number;
    b[next] = index[pairings.b[group] as number] as number;
    outcome[next] = pairings.outcome[group] as number;
    session[next] = ratings.session[rating] as number;
    rater[next] = ratings.rater[rating] as number;
    slate[next++] = ratings.slate[rating] as number;
  }
  return { items, a, b, outcome, session, rater, slate };
}
