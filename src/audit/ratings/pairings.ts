import type { RatingColumns } from "./rating-columns.js";
import { itemsOf } from "./items.js";
import type { Population } from "./population.js";
import { chooseSlateGroups } from "./select.js";
import { slateGroupsOf } from "./slate-groups.js";

/** Who met whom in each run and how it ended: parallel columns, an entry a run. */
export interface Pairings {
  /** Every item that a stimulus stands for, sorted; `a` and `b` are indices of it. */
  readonly names: readonly string[];
  /** Of the two items the one that sorts first; -1 where no two different items met. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** 1 a was preferred, -1 b was, 0 a tie. */
  readonly outcome: Int8Array;
}

/** The pairings of a population: `counted` is 1 for the runs that are comparisons of it. */
export interface CountedPairings extends Pairings {
  readonly counted: Uint8Array;
}

const known = new WeakMap<RatingColumns, Map<Population["item"], Pairings>>();

/** Kept with the ratings for every item key: of runs of exactly two scored ratings, whatever the population. */
function regularPairings(ratings: RatingColumns, key: Population["item"]): Pairings {
  const byKey = known.get(ratings) ?? new Map<Population["item"], Pairings>();
  known.set(ratings, byKey);
  const pairings = byKey.get(key) ?? find(ratings, key);
  byKey.set(key, pairings);
  return pairings;
}

function find(ratings: RatingColumns, key: Population["item"]): Pairings {
  const { left, right } = slateGroupsOf(ratings);
  const a = new Int32Array(left.length).fill(-1);
  const pairings: Pairings = {
    names: itemsOf(ratings, key).names,
    a,
    b: new Int32Array(left.length),
    outcome: new Int8Array(left.length),
  };
  const { ofStimulus } = itemsOf(ratings, key);
  for (let run = 0; run < left.length; run++) {
    if (right[run] !== -1) meet(ratings, ofStimulus, pairings, run, left[run] as number, right[run] as number);
  }
  return pairings;
}

function meet(
  { stimulus, score }: RatingColumns,
  ofStimulus: Int32Array,
  { a, b, outcome }: Pairings,
  run: number,
  left: number,
  right: number,
): void {
  const first = ofStimulus[stimulus[left] as number] as number;
  const second = ofStimulus[stimulus[right] as number] as number;
  a[run] = first === second ? -1 : Math.min(first, second);
  b[run] = Math.max(first, second);
  const margin = Math.sign((score[left] as number) - (score[right] as number));
  outcome[run] = first < second ? margin : -margin;
}

/**
 * What a population makes of each run: a comparison is a slate and dimension with exactly two counted ratings of two
 * different items (metrics: "comparison").
 */
export function pairingsOf(ratings: RatingColumns, p: Population): CountedPairings {
  const { state, irregular } = chooseSlateGroups(ratings, p);
  const regular = regularPairings(ratings, p.item);
  let own = regular;
  if (irregular.size > 0) {
    own = { names: regular.names, a: regular.a.slice(), b: regular.b.slice(), outcome: regular.outcome.slice() };
    for (const [run, [left, right]] of irregular)
      meet(ratings, itemsOf(ratings, p.item).ofStimulus, own, run, left, right);
  }
  const counted = state; // its own array: nobody else holds it
  for (let run = 0; run < counted.length; run++) counted[run] = state[run] === 2 && own.a[run] !== -1 ? 1 : 0;
  return { ...own, counted };
}
