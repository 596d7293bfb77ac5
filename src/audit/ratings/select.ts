import type { Population } from "./population.js";
import { countedRatingClasses, ratingClassesOf } from "./rating-classes.js";
import type { RatingColumns } from "./rating-columns.js";
import { keepOneOfRepeats } from "./repeats.js";
import { slateGroupsOf, type SlateGroups } from "./slate-groups.js";

/** What a population takes of each run. */
export interface ChosenSlateGroups {
  /** 2: exactly two of its ratings count; 1: another number of them; 0: none. */
  readonly state: Uint8Array;
  /** The two ratings of irregular runs of which exactly two count; of other runs they are `left` and `right`. */
  readonly irregular: ReadonlyMap<number, readonly [left: number, right: number]>;
}

export function chooseSlateGroups(ratings: RatingColumns, p: Population): ChosenSlateGroups {
  const runs = slateGroupsOf(ratings);
  const { pair, pairs, starts } = runs;
  const counted = countedRatingClasses(ratings, p);
  const counts = (signature: number): number => (signature === -1 ? 0 : (counted[signature] as number));
  const stateOf = Uint8Array.from(pairs, ([left, right]) => counts(left) + counts(right));
  const end = p.first_sessions === null ? pair.length : firstRunOfSession(ratings, runs, p.first_sessions);
  const state = new Uint8Array(pair.length);
  for (let run = 0; run < end; run++) state[run] = stateOf[pair[run] as number] as number;
  const irregular = new Map<number, readonly [number, number]>();
  const signature = ratingClassesOf(ratings).of;
  for (const run of runs.irregular) {
    if (run >= end) break;
    const chosen: number[] = [];
    for (let i = starts[run] as number; i < (starts[run + 1] as number); i++)
      if (counts(signature[i] as number) === 1) chosen.push(i);
    const [left, right] = chosen;
    const isPair = chosen.length === 2 && left !== undefined && right !== undefined;
    if (isPair) irregular.set(run, [left, right]);
    state[run] = isPair ? 2 : Math.min(1, chosen.length);
  }
  if (p.repeats !== "all") keepOneOfRepeats(ratings, runs, state, p.repeats);
  return { state, irregular };
}

/** SlateGroups stand in the order of their sessions' ranks. */
function firstRunOfSession({ session }: RatingColumns, { starts }: SlateGroups, rank: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((session[starts[middle] as number] as number) < rank) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** 1 for each rating that counts. Does not look at order or item. */
export function selectRatings(ratings: RatingColumns, p: Population): Uint8Array {
  const signature = ratingClassesOf(ratings).of;
  const counted = countedRatingClasses(ratings, p);
  const { starts } = slateGroupsOf(ratings);
  const runs = chooseSlateGroups(ratings, p).state;
  const chosen = new Uint8Array(signature.length);
  for (let run = 0; run < runs.length; run++) {
    if (runs[run] === 0) continue;
    for (let i = starts[run] as number; i < (starts[run + 1] as number); i++)
      chosen[i] = counted[signature[i] as number] as number;
  }
  return chosen;
}
