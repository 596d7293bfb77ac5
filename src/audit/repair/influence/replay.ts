import type { EloConvention } from "../../../metrics/index.js";

/** Comparisons that may be played, in order. */
export interface Plays {
  readonly items: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly session: Int32Array;
}

/** Events between two states that are kept, at least. */
const stride = 512;
/**
 * Two replays this close (in Elo) and with the same events to come stay so: each update of an online Elo draws
 * ratings together. A published double is known to 1e-6 Elo.
 */
const same = 1e-10;

/**
 * Online Elo played again from where something changes, and only until the change is forgotten. `times` (how often
 * each comparison counts) and `outcome` may be changed between runs; what is kept belongs to their first values.
 */
export class Replay {
  readonly times: Uint8Array;
  readonly outcome: Int8Array;
  /** Expected score of a in each comparison, of the unchanged run. */
  readonly expected: Float64Array;
  readonly final: Float64Array;
  /** Comparisons gone through so far. */
  work = 0;
  readonly #plays: Plays;
  readonly #convention: EloConvention;
  /** Positions of kept states, ascending, the first 0; a session starts at each. */
  readonly #kept: number[] = [];
  readonly #states: Float64Array[] = [];

  constructor(plays: Plays, outcome: Int8Array, counted: Uint8Array, convention: EloConvention) {
    this.#plays = plays;
    this.#convention = convention;
    this.times = counted.slice();
    this.outcome = outcome.slice();
    this.expected = new Float64Array(plays.a.length);
    const start = new Float64Array(plays.items).fill(convention.start);
    this.final = this.#play(0, start, this.expected, (i, rating) => {
      const last = this.#kept.at(-1);
      if (last === undefined || i - last >= stride) {
        this.#kept.push(i);
        this.#states.push(rating.slice());
      }
      return false;
    });
  }

  /** Ratings after all comparisons, where those from `first` to `last` may be changed. Records from there on. */
  run(first: number, last: number, record?: Float64Array): Float64Array {
    const at = this.#before(first);
    let next = at;
    return this.#play(this.#kept[at] ?? 0, (this.#states[at] as Float64Array).slice(), record, (i, now) => {
      while ((this.#kept[next] ?? Infinity) < i) next++;
      if (i <= last || this.#kept[next] !== i) return false;
      const then = this.#states[next] as Float64Array;
      for (let item = 0; item < now.length; item++)
        if (!(Math.abs((now[item] as number) - (then[item] as number)) <= same)) return false;
      now.set(this.final);
      return true;
    });
  }

  /** Where `run` starts for a change at `first`. */
  startOf(first: number): number {
    return this.#kept[this.#before(first)] ?? 0;
  }

  /** Goes through all of it; `seen` is given the ratings as each session starts. */
  walk(seen: (at: number, rating: Float64Array) => void): void {
    const start = new Float64Array(this.#plays.items).fill(this.#convention.start);
    this.#play(0, start, undefined, (i, rating) => {
      seen(i, rating);
      return false;
    });
  }

  /** The last kept state at or before a comparison. */
  #before(first: number): number {
    let low = 0;
    let high = this.#kept.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#kept[middle] as number) <= first) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** `boundary` is called where a session starts; where it says that the rest is known, the run ends. */
  #play(
    from: number,
    rating: Float64Array,
    record: Float64Array | undefined,
    boundary: (i: number, rating: Float64Array) => boolean,
  ): Float64Array {
    const { a, b, session } = this.#plays;
    const { k, scale, base, tie_value: tieValue, ties, update } = this.#convention;
    const rate = Math.log(base) / scale;
    const isBatch = update === "session_batch";
    const before = isBatch ? rating.slice() : rating;
    const { times, outcome } = this;
    let i = from;
    for (; i < a.length; i++) {
      if (i === from || session[i] !== session[i - 1]) {
        if (isBatch) before.set(rating);
        if (boundary(i, rating)) break;
      }
      const left = a[i] as number;
      const right = b[i] as number;
      const result = outcome[i] as number;
      const score = result > 0 ? 1 : result < 0 ? 0 : tieValue;
      const plays = result === 0 && ties === "skip" ? 0 : (times[i] as number);
      const chance = 1 / (1 + Math.exp(rate * ((before[right] as number) - (before[left] as number))));
      if (record !== undefined) record[i] = chance;
      for (let play = 0; play < plays; play++) {
        const now =
          play === 0 || isBatch
            ? chance
            : 1 / (1 + Math.exp(rate * ((before[right] as number) - (before[left] as number))));
        const change = k * (score - now);
        rating[left] = (rating[left] as number) + change;
        rating[right] = (rating[right] as number) - change;
      }
    }
    this.work += i - from;
    return rating;
  }
}
