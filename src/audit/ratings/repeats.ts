import { cached } from "../../platform/index.js";
import type { RatingColumns } from "./rating-columns.js";
import { slateGroupsOf } from "./slate-groups.js";

/** Slate groups that ask a rater about the same stimuli in the same dimension are repeats of each other. */
interface Repeats {
  /** The set of repeats of each slate group. */
  readonly set: Int32Array;
  readonly sets: number;
}

/** Number of possible questions up to which a table is faster than a map. */
const maxTable = 2 ** 24;

const repeatsOf = cached((ratings: RatingColumns): Repeats => {
  const { dimension, rater, raters, stimulus, stimuli, dimensions } = ratings;
  const { starts } = slateGroupsOf(ratings);
  const set = new Int32Array(starts.length - 1);
  const named = new Map<number | string, number>();
  const keys = raters.length * dimensions.length * stimuli.length ** 2;
  const table = keys <= maxTable ? new Int32Array(keys) : null;
  let sets = 0;
  for (let group = 0; group < set.length; group++) {
    const from = starts[group] as number;
    const to = starts[group + 1] as number;
    const asked = (rater[from] as number) * dimensions.length + (dimension[from] as number);
    const a = stimulus[from] as number;
    const b = stimulus[to - 1] as number;
    const key = (asked * stimuli.length + Math.min(a, b)) * stimuli.length + Math.max(a, b);
    if (to - from === 2 && table !== null) {
      if (table[key] === 0) table[key] = ++sets;
      set[group] = (table[key] as number) - 1;
      continue;
    }
    const isPair = to - from === 2 && Number.isSafeInteger(key);
    const name = isPair ? key : `${asked}/${stimulus.slice(from, to).sort().join(",")}`;
    const number = named.get(name) ?? sets++;
    named.set(name, number);
    set[group] = number;
  }
  return { set, sets };
});

/** Keeps the first or last counted slate group (`state` not 0) of each set of repeats and sets the others to 0. */
export function keepOneOfRepeats(ratings: RatingColumns, state: Uint8Array, which: "first" | "last"): void {
  const { set, sets } = repeatsOf(ratings);
  const taken = new Uint8Array(sets);
  const step = which === "first" ? 1 : -1;
  for (let n = 0, group = which === "first" ? 0 : state.length - 1; n < state.length; n++, group += step) {
    if (state[group] === 0) continue;
    const own = set[group] as number;
    if (taken[own] === 1) state[group] = 0;
    else taken[own] = 1;
  }
}
