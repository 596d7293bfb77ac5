import type { Facts } from "./facts.js";

/** Slates (of one dimension) that ask one rater the same: same stimuli. */
export interface Repeats {
  /** Where each slate and dimension starts among the ratings. */
  readonly starts: Int32Array;
  /** The set of repeats that each of them belongs to. */
  readonly set: Int32Array;
  readonly sets: number;
}

/** Kept with the facts: many populations ask. */
const known = new WeakMap<Int32Array, Repeats>();

export function repeatsOf(facts: Facts): Repeats {
  const repeats = known.get(facts.slate) ?? find(facts);
  known.set(facts.slate, repeats);
  return repeats;
}

function find({ slate, dimension, rater, stimulus, stimuli, dimensions }: Facts): Repeats {
  const starts: number[] = [];
  const set: number[] = [];
  const numbers = new Map<number | string, number>();
  for (let from = 0; from < slate.length; ) {
    let to = from + 1;
    while (to < slate.length && slate[to] === slate[from] && dimension[to] === dimension[from] && slate[from] !== -1) to++;
    const key = keyOf(from, to);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    starts.push(from);
    set.push(number);
    from = to;
  }
  return { starts: Int32Array.from(starts), set: Int32Array.from(set), sets: numbers.size };

  /** Rater, dimension and stimuli: a number where it fits into one, for speed. */
  function keyOf(from: number, to: number): number | string {
    const group = (rater[from] as number) * dimensions.length + (dimension[from] as number);
    const a = stimulus[from] as number;
    const b = stimulus[to - 1] as number;
    const key = (group * stimuli.length + Math.min(a, b)) * stimuli.length + Math.max(a, b);
    if (to - from === 2 && Number.isSafeInteger(key)) return key;
    return `${group}/${stimulus.slice(from, to).sort().join(",")}`;
  }
}
