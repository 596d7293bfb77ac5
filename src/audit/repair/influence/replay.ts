import type { EloConvention } from "../../../metrics/index.js";

/** The comparisons of a replay, in order; `a` and `b` are item numbers below `items`. */
export interface ReplayedComparisons {
  readonly items: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly session: Int32Array;
}

/**
 * Online Elo that can be replayed from a change on, and only until the change is forgotten. `times` (how often each
 * comparison counts) and `outcome` may be changed between runs; saved states belong to their first values.
 */
interface Replay {
  readonly times: Uint8Array;
  readonly outcome: Int8Array;
  /** Expected score of a in each comparison, unchanged. */
  readonly expected: Float64Array;
  /** Final ratings, unchanged. */
  readonly final: Float64Array;
  /** Final ratings when events from `first` to `last` may have changed; writes the expected scores to `expected`. */
  readonly run: (first: number, last: number, expected?: Float64Array) => Float64Array;
  /** The event at which `run` starts for a change at `first`. */
  readonly startOf: (first: number) => number;
  /** Replays everything and calls `visit` with the ratings at the start of each session. */
  readonly walk: (visit: (at: number, rating: Float64Array) => void) => void;
}

/** Minimum number of events between two saved states. */
const stride = 512;
/**
 * Two replays this close (in Elo) and with the same events ahead stay so: each update of an online Elo moves ratings
 * closer together. A published double is known to 1e-6 Elo.
 */
const same = 1e-10;

export function createReplay(
  { items, a, b, session }: ReplayedComparisons,
  initial: Int8Array,
  counted: Uint8Array,
  { k, start, scale, base, tie_value: tieValue, ties, update }: EloConvention,
): Replay {
  const rate = Math.log(base) / scale;
  const isBatch = update === "session_batch";
  const points = Float64Array.of(0, tieValue, 1);
  const times = counted.slice();
  const outcome = initial.slice();
  /** Positions of the saved states, ascending, the first 0; a session starts at each. */
  const saved: number[] = [];
  const states: Float64Array[] = [];
  const expected = new Float64Array(a.length);
  const final = play(0, equalRatings(), expected, (i, rating) => {
    const last = saved.at(-1);
    if (last === undefined || i - last >= stride) {
      saved.push(i);
      states.push(rating.slice());
    }
    return false;
  });

  return {
    times,
    outcome,
    expected,
    final,
    run,
    startOf: (first) => saved[stateBefore(first)] ?? 0,
    walk: (visit) => {
      play(0, equalRatings(), undefined, (i, rating) => {
        visit(i, rating);
        return false;
      });
    },
  };

  function equalRatings(): Float64Array {
    return new Float64Array(items).fill(start);
  }

  function run(first: number, last: number, into?: Float64Array): Float64Array {
    const at = stateBefore(first);
    let next = at;
    return play(saved[at] ?? 0, (states[at] as Float64Array).slice(), into, (i, rating) => {
      while ((saved[next] ?? Infinity) < i) next++;
      if (i <= last || saved[next] !== i) return false;
      const unchanged = states[next] as Float64Array;
      if (!rating.every((r, item) => Math.abs(r - (unchanged[item] as number)) <= same)) return false;
      rating.set(final);
      return true;
    });
  }

  /** The last saved state at or before an event. */
  function stateBefore(event: number): number {
    let low = 0;
    let high = saved.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((saved[middle] as number) <= event) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Continues from `rating`, in place. Calls `atSession` at the start of each session; ends when it returns true. */
  function play(
    from: number,
    rating: Float64Array,
    into: Float64Array | undefined,
    atSession: (i: number, rating: Float64Array) => boolean,
  ): Float64Array {
    const current = isBatch ? rating.slice() : rating;
    for (let i = from; i < a.length; i++) {
      if (i === from || session[i] !== session[i - 1]) {
        if (isBatch) current.set(rating);
        if (atSession(i, rating)) break;
      }
      const left = a[i] as number;
      const right = b[i] as number;
      const result = outcome[i] as number;
      const count = result === 0 && ties === "skip" ? 0 : (times[i] as number);
      let chance = 1 / (1 + Math.exp(rate * ((current[right] as number) - (current[left] as number))));
      if (into !== undefined) into[i] = chance;
      for (let n = 0; n < count; n++) {
        if (n > 0 && !isBatch)
          chance = 1 / (1 + Math.exp(rate * ((current[right] as number) - (current[left] as number))));
        const change = k * ((points[result + 1] as number) - chance);
        rating[left] = (rating[left] as number) + change;
        rating[right] = (rating[right] as number) - change;
      }
    }
    return rating;
  }
}
