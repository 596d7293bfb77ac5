import type { RatingColumns } from "../../../src/audit/ratings/rating-columns.js";
import type { Alteration } from "../../../src/audit/repair/repair.js";

/** The columns with one value per rating, without `slate`. */
const columns = [
  "score",
  "stimulus",
  "dimension",
  "session",
  "job",
  "rater",
  "training",
  "completed",
  "screened",
  "correct",
  "slateUpdated",
] as const;

/**
 * The ratings with those of `members` left out, counted twice, or (two ratings of a slate) with their scores swapped or
 * made equal. A doubled slate becomes a new slate right after the first. Added ratings are changed so that every
 * population counts them: from a completed session, not training, not known to be incorrect.
 */
export function altered(
  ratings: RatingColumns,
  members: (rating: number) => boolean,
  alteration: Alteration,
): RatingColumns {
  if (alteration === "flipped" || alteration === "tied")
    return { ...ratings, score: exchanged(ratings, members, alteration === "tied") };
  if (alteration === "added") return added(ratings, members);
  const { slate, slateIds } = ratings;
  const rows: number[] = [];
  const slates: number[] = [];
  const ids: bigint[] = [];
  for (let from = 0; from < slate.length;) {
    let to = from + 1;
    while (to < slate.length && slate[to] === slate[from] && slate[from] !== -1) to++;
    for (let copy = 0; copy < 2; copy++) {
      const before = rows.length;
      for (let i = from; i < to; i++) {
        if (members(i) ? alteration === "dropped" : copy > 0) continue;
        rows.push(i);
        slates.push(slate[from] === -1 ? -1 : ids.length);
      }
      if (rows.length > before && slate[from] !== -1) ids.push(slateIds[slate[from]!]!);
    }
    from = to;
  }
  const taken = columns.map((name) => {
    const column = ratings[name];
    const kept = new (column.constructor as new (length: number) => typeof column)(rows.length);
    rows.forEach((row, i) => (kept[i] = column[row]!));
    return [name, kept] as const;
  });
  return {
    ...ratings,
    ...(Object.fromEntries(taken) as unknown as Pick<RatingColumns, (typeof columns)[number]>),
    slate: Int32Array.from(slates),
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
  isTie: boolean,
): Float64Array {
  const flipped = score.slice();
  for (let i = 0; i + 1 < score.length; i++) {
    const isPair =
      slate[i] === slate[i + 1] && dimension[i] === dimension[i + 1] && slate[i] !== -1;
    if (!isPair || !members(i)) continue;
    flipped[i] = score[i + 1]!;
    flipped[i + 1] = score[isTie ? i + 1 : i]!;
    i++;
  }
  return flipped;
}
