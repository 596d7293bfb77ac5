import { amongPresent, pairCountsOf, type OrderedComparisons, type PairCounts } from "../../metrics/index.js";
import { pairingOrder, pairingsOf, type CountedPairings } from "./pairings.js";
import type { Population } from "./population.js";
import type { RatingColumns } from "./rating-columns.js";
import { slateGroupsOf } from "./slate-groups.js";

/** The number of comparisons of each pair of items; only items with a comparison, sorted. */
export interface Pairs {
  readonly items: readonly string[];
  readonly counts: PairCounts;
  /** The index of each item among all names of the item key. */
  readonly present: Int32Array;
}

export function pairsOf(pairings: CountedPairings): Pairs {
  const { present, counts } = amongPresent(pairCountsOf(pairings.names.length, pairings, pairings.counted));
  return { items: Array.from(present, (item) => pairings.names[item] as string), counts, present };
}

/** The comparisons of a population, in its order. */
export interface Comparisons extends OrderedComparisons {
  readonly items: readonly string[];
  readonly rater: Int32Array;
  readonly slate: Int32Array;
}

/** Only items with a comparison, sorted; in each comparison `a` is the item that sorts first. */
export function comparisonsOf(ratings: RatingColumns, p: Population): Comparisons {
  const pairings = pairingsOf(ratings, p);
  const { items, present } = pairsOf(pairings);
  const index = new Int32Array(pairings.names.length);
  present.forEach((item, i) => (index[item] = i));
  const { starts } = slateGroupsOf(ratings);
  const order = pairingOrder(ratings, pairings, p.order);
  const count = pairings.counted.reduce((sum, one) => sum + one, 0);
  const column = (): Int32Array => new Int32Array(count);
  const [a, b, session, rater, slate] = [column(), column(), column(), column(), column()];
  const outcome = new Int8Array(count);
  for (let n = 0, next = 0; n < pairings.counted.length; n++) {
    const at = order === null ? n : (order[n] as number);
    if (pairings.counted[at] === 0) continue;
    const rating = starts[pairings.group === null ? at : (pairings.group[at] as number)] as number;
    a[next] = index[pairings.a[at] as number] as number;
    b[next] = index[pairings.b[at] as number] as number;
    outcome[next] = pairings.outcome[at] as number;
    session[next] = ratings.session[rating] as number;
    rater[next] = ratings.rater[rating] as number;
    slate[next++] = ratings.slate[rating] as number;
  }
  return { items, a, b, outcome, session, rater, slate };
}
