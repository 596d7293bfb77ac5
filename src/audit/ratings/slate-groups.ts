import type { RatingColumns } from "./rating-columns.js";
import { keepOneOfRepeats } from "./repeats.js";
import { countedRatingClasses, ratingClassesOf } from "./rating-classes.js";
import type { Population } from "./population.js";

/** The ratings of one slate and dimension stand together: a run. A rating without a slate is a run of its own. */
export interface SlateGroups {
  /** Where each run starts among the ratings, and behind the last one the number of ratings. */
  readonly starts: Int32Array;
  /** The first and second scored rating of each run; -1 where it has fewer. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** SlateGroups of more than two scored ratings: whether they are comparisons depends on which of them count. */
  readonly irregular: Int32Array;
  /** Number of the pair of ratingClasses of `left` and `right`, by run. */
  readonly pair: Int32Array;
  /** The two ratingClasses of each such number; -1 where there is no rating. */
  readonly pairs: readonly (readonly [left: number, right: number])[];
}

const known = new WeakMap<RatingColumns, SlateGroups>();

export function slateGroupsOf(ratings: RatingColumns): SlateGroups {
  const runs = known.get(ratings) ?? find(ratings);
  known.set(ratings, runs);
  return runs;
}

function find(ratings: RatingColumns): SlateGroups {
  const { slate, dimension, score } = ratings;
  const signature = ratingClassesOf(ratings).of;
  const count = countSlateGroups(ratings);
  const starts = new Int32Array(count + 1);
  const left = new Int32Array(count).fill(-1);
  const right = new Int32Array(count).fill(-1);
  const pair = new Int32Array(count);
  const irregular: number[] = [];
  const numbers = new Map<number, number>();
  const base = ratingClassesOf(ratings).distinct.length + 1;
  for (let run = 0, i = 0; run < count; run++) {
    const from = i;
    let scored = 0;
    do {
      if (!Number.isNaN(score[i])) {
        if (scored === 0) left[run] = i;
        else if (scored === 1) right[run] = i;
        scored++;
      }
      i++;
    } while (i < slate.length && slate[i] === slate[from] && dimension[i] === dimension[from] && slate[from] !== -1);
    if (scored > 2) irregular.push(run);
    starts[run + 1] = i;
    const of = (at: number): number => (at === -1 ? 0 : (signature[at] as number) + 1);
    const key = of(left[run] as number) * base + of(right[run] as number);
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = numbers.size));
    pair[run] = number;
  }
  const pairs = [...numbers.keys()].map((key) => [Math.floor(key / base) - 1, (key % base) - 1] as const);
  return { starts, left, right, irregular: Int32Array.from(irregular), pair, pairs };
}

function countSlateGroups({ slate, dimension }: RatingColumns): number {
  let count = slate.length > 0 ? 1 : 0;
  for (let i = 1; i < slate.length; i++) {
    if (slate[i] !== slate[i - 1] || slate[i] === -1 || dimension[i] !== dimension[i - 1]) count++;
  }
  return count;
}

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
