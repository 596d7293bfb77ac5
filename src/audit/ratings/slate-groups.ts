import { cached } from "../../platform/index.js";
import { ratingClassesOf } from "./rating-classes.js";
import type { RatingColumns } from "./rating-columns.js";

/** The ratings of one slate and dimension, which are adjacent. A rating without a slate is a separate group. */
export interface SlateGroups {
  /** Index of each group's first rating, followed by the number of ratings. */
  readonly starts: Int32Array;
  /** The first and second scored rating of each group; -1 if it has fewer. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  /** Groups of more than two scored ratings: whether they are comparisons depends on which of the ratings count. */
  readonly irregular: Int32Array;
  /** For each group, the number of its pair of rating classes, those of `left` and `right`. */
  readonly pair: Int32Array;
  /** The two rating classes of each such number; -1 if there is no rating. */
  readonly pairs: readonly (readonly [left: number, right: number])[];
}

export const slateGroupsOf = cached((ratings: RatingColumns): SlateGroups => {
  const { score } = ratings;
  const { of: classOf, distinct } = ratingClassesOf(ratings);
  const starts = startsOf(ratings);
  const count = starts.length - 1;
  const left = new Int32Array(count).fill(-1);
  const right = new Int32Array(count).fill(-1);
  const pair = new Int32Array(count);
  const irregular: number[] = [];
  const numbers = new Map<number, number>();
  const base = distinct.length + 1;
  const codeOf = (rating: number): number => (rating === -1 ? 0 : (classOf[rating] as number) + 1);
  for (let group = 0; group < count; group++) {
    let scored = 0;
    for (let i = starts[group] as number; i < (starts[group + 1] as number); i++) {
      if (Number.isNaN(score[i])) continue;
      if (scored === 0) left[group] = i;
      else if (scored === 1) right[group] = i;
      scored++;
    }
    if (scored > 2) irregular.push(group);
    const key = codeOf(left[group] as number) * base + codeOf(right[group] as number);
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = numbers.size));
    pair[group] = number;
  }
  const pairs = [...numbers.keys()].map((key) => [Math.floor(key / base) - 1, (key % base) - 1] as const);
  return { starts, left, right, irregular: Int32Array.from(irregular), pair, pairs };
});

function startsOf({ slate, dimension }: RatingColumns): Int32Array {
  const starts = new Int32Array(slate.length + 1);
  let count = 0;
  for (let i = 0; i < slate.length; i++) {
    const isSame = i > 0 && slate[i] === slate[i - 1] && slate[i] !== -1 && dimension[i] === dimension[i - 1];
    if (!isSame) starts[count++] = i;
  }
  starts[count] = slate.length;
  return starts.slice(0, count + 1);
}
