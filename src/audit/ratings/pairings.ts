import { cachedBy } from "./cached.js";
import { itemsOf } from "./items.js";
import type { ItemKey, Population } from "./population.js";
import type { RatingColumns } from "./rating-columns.js";
import { countedSlateGroups } from "./select.js";
import { slateGroupsOf } from "./slate-groups.js";

/** The two items compared in each slate group, and the outcome: parallel columns, one entry per slate group. */
interface Pairings {
  /** The items of all stimuli, sorted; `a` and `b` are indices into it. */
  readonly names: readonly string[];
  /** The item that sorts first; -1 if the group does not compare two different items. */
  readonly a: Int32Array;
  readonly b: Int32Array;
  /** 1 a was preferred, -1 b was, 0 a tie. */
  readonly outcome: Int8Array;
}

/** The pairings of a population: `counted` is 1 for the slate groups that are comparisons of it. */
export interface CountedPairings extends Pairings {
  readonly counted: Uint8Array;
}

/** The pairings of slate groups of exactly two scored ratings, for every population with an item key. */
const regularPairings = cachedBy((ratings: RatingColumns, key: ItemKey): Pairings => {
  const { left, right } = slateGroupsOf(ratings);
  const { names, ofStimulus } = itemsOf(ratings, key);
  const pairings: Pairings = {
    names,
    a: new Int32Array(left.length).fill(-1),
    b: new Int32Array(left.length),
    outcome: new Int8Array(left.length),
  };
  for (let group = 0; group < left.length; group++) {
    if (right[group] !== -1)
      pairUp(ratings, ofStimulus, pairings, group, left[group] as number, right[group] as number);
  }
  return pairings;
});

function pairUp(
  { stimulus, score }: RatingColumns,
  ofStimulus: Int32Array,
  { a, b, outcome }: Pairings,
  group: number,
  left: number,
  right: number,
): void {
  const first = ofStimulus[stimulus[left] as number] as number;
  const second = ofStimulus[stimulus[right] as number] as number;
  a[group] = first === second ? -1 : Math.min(first, second);
  b[group] = Math.max(first, second);
  const margin = Math.sign((score[left] as number) - (score[right] as number));
  outcome[group] = first < second ? margin : -margin;
}

/**
 * Marks the slate groups that are comparisons of a population: a slate and dimension with exactly two counted ratings,
 * of two different items (metrics.md, "comparison").
 */
export function pairingsOf(ratings: RatingColumns, p: Population): CountedPairings {
  const { state, irregular } = countedSlateGroups(ratings, p);
  const regular = regularPairings(ratings, p.item);
  const { names, a, b, outcome } = regular;
  const own = irregular.size === 0 ? regular : { names, a: a.slice(), b: b.slice(), outcome: outcome.slice() };
  for (const [group, [left, right]] of irregular)
    pairUp(ratings, itemsOf(ratings, p.item).ofStimulus, own, group, left, right);
  const counted = state; // in place: nothing else refers to it
  for (let group = 0; group < counted.length; group++)
    counted[group] = state[group] === 2 && own.a[group] !== -1 ? 1 : 0;
  return { ...own, counted };
}
