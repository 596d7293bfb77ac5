import type { Population } from "./population.js";
import { countedRatingClasses, ratingClassesOf } from "./rating-classes.js";
import type { RatingColumns } from "./rating-columns.js";
import { keepOneOfRepeats } from "./repeats.js";
import { slateGroupsOf, type SlateGroups } from "./slate-groups.js";

/** The ratings that a population counts in each slate group. */
interface CountedSlateGroups {
  /** 2: exactly two of its ratings count, or more if each pair is a comparison; 1: some other number; 0: none. */
  readonly state: Uint8Array;
  /** The counted ratings of irregular groups with state 2; in others they are `left` and `right`. */
  readonly irregular: ReadonlyMap<number, readonly number[]>;
}

export function countedSlateGroups(ratings: RatingColumns, p: Population): CountedSlateGroups {
  const groups = slateGroupsOf(ratings);
  const { pair, pairs, starts } = groups;
  const counted = countedRatingClasses(ratings, p);
  const counts = (ratingClass: number): number => (ratingClass === -1 ? 0 : (counted[ratingClass] as number));
  const stateOf = Uint8Array.from(pairs, ([left, right]) => counts(left) + counts(right));
  const end = p.first_sessions === null ? pair.length : firstOfSession(ratings, groups, p.first_sessions);
  const state = new Uint8Array(pair.length);
  for (let group = 0; group < end; group++) state[group] = stateOf[pair[group] as number] as number;
  const irregular = new Map<number, readonly number[]>();
  const most = p.pairs === "all" ? Infinity : 2;
  const { of: classOf } = ratingClassesOf(ratings);
  for (const group of groups.irregular) {
    if (group >= end) break;
    const chosen: number[] = [];
    for (let i = starts[group] as number; i < (starts[group + 1] as number); i++)
      if (counts(classOf[i] as number) === 1) chosen.push(i);
    const isCompared = chosen.length >= 2 && chosen.length <= most;
    if (isCompared) irregular.set(group, chosen);
    state[group] = isCompared ? 2 : Math.min(1, chosen.length);
  }
  if (p.repeats !== "all") keepOneOfRepeats(ratings, state, p.repeats);
  return { state, irregular };
}

/** The first slate group of a session or a later one: groups are in the order of their sessions. */
function firstOfSession({ session }: RatingColumns, { starts }: SlateGroups, rank: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((session[starts[middle] as number] as number) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 1 for each rating that counts, regardless of its order and item. */
export function selectRatings(ratings: RatingColumns, p: Population): Uint8Array {
  const { of: classOf } = ratingClassesOf(ratings);
  const counted = countedRatingClasses(ratings, p);
  const { starts } = slateGroupsOf(ratings);
  const { state } = countedSlateGroups(ratings, p);
  const chosen = new Uint8Array(classOf.length);
  for (let group = 0; group < state.length; group++) {
    if (state[group] === 0) continue;
    for (let i = starts[group] as number; i < (starts[group + 1] as number); i++)
      chosen[i] = counted[classOf[i] as number] as number;
  }
  return chosen;
}
