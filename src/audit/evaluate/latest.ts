import type { OrderedComparisons } from "../../metrics/elo.js";
import type { Facts } from "../ratings/rating-columns.js";
import type { CountedMeetings } from "../ratings/pairings.js";
import { orderOf } from "../ratings/ordering.js";
import type { Population } from "../ratings/population.js";
import { runsOf } from "../ratings/slate-groups.js";

/** The comparisons of a population in its order, read from the last backwards and only as far as asked. */
export class Latest {
  /** Runs and comparisons gone through so far. */
  work = 0;
  readonly #meetings: CountedMeetings;
  readonly #order: Int32Array | null;
  readonly #index: Int32Array;
  readonly #facts: Facts;
  /** Filled from the back: the last `#read` entries count. */
  #columns: { a: Int32Array; b: Int32Array; outcome: Int8Array; session: Int32Array };
  #read = 0;
  /** Runs not yet looked at. */
  #left: number;

  /** `present`: the number among all names of each item that is to be numbered, in order. */
  constructor(facts: Facts, meetings: CountedMeetings, order: Population["order"], present: Int32Array) {
    this.#facts = facts;
    this.#meetings = meetings;
    this.#order = orderOf(facts, order);
    this.#index = new Int32Array(meetings.names.length);
    present.forEach((item, i) => (this.#index[item] = i));
    this.#left = meetings.counted.length;
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
    const { a, b, outcome, counted } = this.#meetings;
    const { starts } = runsOf(this.#facts);
    const from = this.#left;
    while (this.#read < wanted && this.#left > 0) {
      this.#left--;
      const run = this.#order === null ? this.#left : (this.#order[this.#left] as number);
      if (counted[run] === 0) continue;
      const at = room - ++this.#read;
      columns.a[at] = this.#index[a[run] as number] as number;
      columns.b[at] = this.#index[b[run] as number] as number;
      columns.outcome[at] = outcome[run] as number;
      columns.session[at] = this.#facts.session[starts[run] as number] as number;
    }
    this.#columns = columns;
    this.work += from - this.#left;
  }
}
