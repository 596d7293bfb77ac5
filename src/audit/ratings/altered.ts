import type { RatingColumns } from "./rating-columns.js";

/** What is done to some of the ratings. */
export type Alteration = "dropped" | "doubled" | "flipped" | "tied" | "added";

/**
 * The ratings with the ratings of `members` left out, counted twice, or (two ratings of a slate) with their scores
 * exchanged or made equal. A doubled slate is a slate of its own, right after the first. Added ratings are made such
 * as every population counts: of a completed session, not training, not known to be incorrect.
 */
export function altered(
  ratings: RatingColumns,
  members: (rating: number) => boolean,
  alteration: Alteration,
): RatingColumns {
  if (alteration === "flipped" || alteration === "tied")
    return { ...ratings, score: exchanged(ratings, members, alteration === "tied") };
  if (alteration === "added") return added(ratings, members);
  const rows: number[] = [];
  const slates: number[] = [];
  const ids: bigint[] = [];
  for (let from = 0; from < ratings.score.length;) {
    let to = from + 1;
    while (to < ratings.score.length && ratings.slate[to] === ratings.slate[from] && ratings.slate[from] !== -1) to++;
    for (let copy = 0; copy < 2; copy++) {
      const before = rows.length;
      for (let i = from; i < to; i++) {
        if (members(i) ? alteration === "dropped" : copy > 0) continue;
        rows.push(i);
        slates.push(ratings.slate[from] === -1 ? -1 : ids.length);
      }
      if (rows.length > before && ratings.slate[from] !== -1)
        ids.push(ratings.slateIds[ratings.slate[from] as number] as bigint);
    }
    from = to;
  }
  const take = <T extends Int32Array | Float64Array | Uint8Array | Int8Array>(column: T): T => {
    const taken = new (column.constructor as new (length: number) => T)(rows.length);
    rows.forEach((row, i) => (taken[i] = column[row] as number));
    return taken;
  };
  return {
    ...ratings,
    score: take(ratings.score),
    stimulus: take(ratings.stimulus),
    dimension: take(ratings.dimension),
    slate: Int32Array.from(slates),
    session: take(ratings.session),
    job: take(ratings.job),
    rater: take(ratings.rater),
    training: take(ratings.training),
    completed: take(ratings.completed),
    correct: take(ratings.correct),
    slateUpdated: take(ratings.slateUpdated),
    slateIds: BigInt64Array.from(ids),
  };
}

function added(ratings: RatingColumns, members: (rating: number) => boolean): RatingColumns {
  return {
    ...ratings,
    training: ratings.training.map((flag, i) => (members(i) ? 0 : flag)),
    completed: ratings.completed.map((flag, i) => (members(i) ? 1 : flag)),
    correct: ratings.correct.map((flag, i) => (members(i) ? -1 : flag)),
  };
}

function exchanged(
  { score, slate, dimension }: RatingColumns,
  members: (rating: number) => boolean,
  tie: boolean,
): Float64Array {
  const flipped = score.slice();
  for (let i = 0; i + 1 < score.length; i++) {
    const isPair = slate[i] === slate[i + 1] && dimension[i] === dimension[i + 1] && slate[i] !== -1;
    if (!isPair || !members(i)) continue;
    [flipped[i], flipped[i + 1]] = [score[i + 1] as number, score[tie ? i + 1 : i] as number];
    i++;
  }
  return flipped;
}
