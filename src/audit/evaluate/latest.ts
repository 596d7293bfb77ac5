import type { OrderedComparisons } from "../../metrics/index.js";
import {
  pairingOrder,
  type CountedPairings,
  type Population,
  type RatingColumns,
  slateGroupsOf,
} from "../ratings/index.js";

/** The comparisons of a population in its order, read backwards from the end. */
export interface Latest {
  /** The last `wanted` comparisons, or all if there are fewer. */
  last(wanted: number): OrderedComparisons;
}

/**
 * `present`: for each item to number, in order, its index among all item names. `spend` receives the number of pairings
 * read.
 */
export function createLatest(
  ratings: RatingColumns,
  pairings: CountedPairings,
  order: Population["order"],
  present: Int32Array,
  spend: (work: number) => void,
): Latest {
  const pairingsInOrder = pairingOrder(ratings, pairings, order);
  const index = new Int32Array(pairings.names.length);
  present.forEach((item, i) => (index[item] = i));
  /** Filled from the back: the last `read` entries count. */
  let columns = columnsOf(0);
  let read = 0;
  let unread = pairings.counted.length;
  return {
    last(wanted) {
      if (read < wanted && unread > 0) readTo(wanted);
      const { a, b, outcome, session } = columns;
      const from = a.length - Math.min(wanted, read);
      return {
        a: a.subarray(from),
        b: b.subarray(from),
        outcome: outcome.subarray(from),
        session: session.subarray(from),
      };
    },
  };

  function readTo(wanted: number): void {
    const known = columns;
    const length = known.a.length;
    const room = Math.max(length, Math.min(Math.max(wanted, 2 * length), read + unread));
    columns = columnsOf(room);
    for (const name of ["a", "b", "outcome", "session"] as const) columns[name].set(known[name], room - length);
    const { a, b, outcome, counted, group } = pairings;
    const { starts } = slateGroupsOf(ratings);
    const from = unread;
    while (read < wanted && unread > 0) {
      unread--;
      const pairing = pairingsInOrder === null ? unread : (pairingsInOrder[unread] as number);
      if (counted[pairing] === 0) continue;
      const at = room - ++read;
      columns.a[at] = index[a[pairing] as number] as number;
      columns.b[at] = index[b[pairing] as number] as number;
      columns.outcome[at] = outcome[pairing] as number;
      const own = group === null ? pairing : (group[pairing] as number);
      columns.session[at] = ratings.session[starts[own] as number] as number;
    }
    spend(from - unread);
  }
}

const columnsOf = (length: number) => ({
  a: new Int32Array(length),
  b: new Int32Array(length),
  outcome: new Int8Array(length),
  session: new Int32Array(length),
});
