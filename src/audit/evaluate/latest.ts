import type { OrderedComparisons } from "../../metrics/index.js";
import { type RatingColumns, type CountedPairings, orderOf, type Population, slateGroupsOf } from "../ratings/index.js";

/** The comparisons of a population in its order, read from the last backwards and only as far as asked. */
export class Latest {
  /** SlateGroups and comparisons gone through so far. */
  work = 0;
  readonly #pairings: CountedPairings;
  readonly #order: Int32Array | null;
  readonly #index: Int32Array;
  readonly #ratings: RatingColumns;
  /** Filled from the back: the last `#read` entries count. */
  #columns: { a: Int32Array; b: Int32Array; outcome: Int8Array; session: Int32Array };
  #read = 0;
  /** SlateGroups not yet looked at. */
  #left: number;

  /** `present`: the number among all names of each item that is to be numbered, in order. */
  constructor(ratings: RatingColumns, pairings: CountedPairings, order: Population["order"], present: Int32Array) {
    this.#ratings = ratings;
    this.#pairings = pairings;
    this.#order = orderOf(ratings, order);
    this.#index = new Int32Array(pairings.names.length);
    present.forEach((item, i) => (this.#index[item] = i));
    this.#left = pairings.counted.length;
    this.#columns = {
      a: new Int32Array(0),
      b: new Int32Array(0),
      outcome: new Int8Array(0),
      session: new Int32Array(0),
    };
  }

  /** The last `wanted` comparisons, or all there are. */
  last(wanted: number): OrderedComparisons {
    if (this.#read < wanted && this.#left > 0) this.#readTo(wanted);
    const { a, b, outcome, session } = this.#columns;
    const from = a.length - Math.min(wanted, this.#read);
    return {
      a: a.subarray(from),
      b: b.subarray(from),
      outcome: outcome.subarray(from),
      session: session.subarray(from),
    };
  }

  #readTo(wanted: number): void {
    const before = this.#columns;
    const room = Math.max(before.a.length, Math.min(Math.max(wanted, 2 * before.a.length), this.#read + this.#left));
    const columns = {
      a: new Int32Array(room),
      b: new Int32Array(room),
      outcome: new Int8Array(room),
      session: new Int32Array(room),
    };
    for (const name of ["a", "b", "outcome", "session"] as const)
      columns[name].set(before[name], room - before[name].length);
    const { a, b, outcome, counted } = this.#pairings;
    const { starts } = slateGroupsOf(this.#ratings);
    const from = this.#left;
    while (this.#read < wanted && this.#left > 0) {
      this.#left--;
      const run = this.#order === null ? this.#left : (this.#order[this.#left] as number);
      if (counted[run] === 0) continue;
      const at = room - ++this.#read;
      columns.a[at] = this.#index[a[run] as number] as number;
      columns.b[at] = this.#index[b[run] as number] as number;
      columns.outcome[at] = outcome[run] as number;
      columns.session[at] = this.#ratings.session[starts[run] as number] as number;
    }
    this.#columns = columns;
    this.work += from - this.#left;
  }
}
