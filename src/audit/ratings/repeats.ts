import type { RatingColumns } from "./rating-columns.js";
import type { SlateGroups } from "./slate-groups.js";

/** SlateGroups that ask one rater the same, the same stimuli in the same dimension, are repeats of each other. */
interface Repeats {
  /** The set of repeats that each run belongs to. */
  readonly set: Int32Array;
  readonly sets: number;
}

const known = new WeakMap<RatingColumns, Repeats>();
/** Up to so many possible questions a table is faster than a map. */
const tableLimit = 2 ** 24;

function repeatsOf(ratings: RatingColumns, runs: SlateGroups): Repeats {
  const repeats = known.get(ratings) ?? find(ratings, runs);
  known.set(ratings, repeats);
  return repeats;
}

function find(
  { dimension, rater, raters, stimulus, stimuli, dimensions }: RatingColumns,
  { starts }: SlateGroups,
): Repeats {
  const set = new Int32Array(starts.length - 1);
  const named = new Map<number | string, number>();
  const keys = raters.length * dimensions.length * stimuli.length ** 2;
  const table = keys <= tableLimit ? new Int32Array(keys) : null;
  let sets = 0;
  for (let run = 0; run < set.length; run++) {
    const from = starts[run] as number;
    const to = starts[run + 1] as number;
    const group = (rater[from] as number) * dimensions.length + (dimension[from] as number);
    const a = stimulus[from] as number;
    const b = stimulus[to - 1] as number;
    const key = (group * stimuli.length + Math.min(a, b)) * stimuli.length + Math.max(a, b);
    if (to - from === 2 && table !== null) {
      if (table[key] === 0) table[key] = ++sets;
      set[run] = (table[key] as number) - 1;
      continue;
    }
    const name =
      to - from === 2 && Number.isSafeInteger(key) ? key : `${group}/${stimulus.slice(from, to).sort().join(",")}`;
    const number = named.get(name) ?? sets++;
    named.set(name, number);
    set[run] = number;
  }
  return { set, sets };
}

/** Of each set of repeats leaves the first or the last run of which something counts (`state` not 0); the others become 0. */
export function keepOneOfRepeats(
  ratings: RatingColumns,
  runs: SlateGroups,
  state: Uint8Array,
  which: "first" | "last",
): void {
  const { set, sets } = repeatsOf(ratings, runs);
  const taken = new Uint8Array(sets);
  const step = which === "first" ? 1 : -1;
  for (let n = 0, run = which === "first" ? 0 : state.length - 1; n < state.length; n++, run += step) {
    if (state[run] === 0) continue;
    const own = set[run] as number;
    if (taken[own] === 1) state[run] = 0;
    else taken[own] = 1;
  }
}
