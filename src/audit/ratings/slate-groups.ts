import type { RatingColumns } from "./rating-columns.js";
import { ratingClassesOf } from "./rating-classes.js";

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
