import type { Facts } from "./rating-columns.js";

/** What is done to some of the ratings. */
export type Alteration = "dropped" | "doubled" | "flipped" | "tied" | "added";

/**
 * The facts with the ratings of `members` left out, counted twice, or (two ratings of a slate) with their scores
 * exchanged or made equal. A doubled slate is a slate of its own, right after the first. Added ratings are made such
 * as every population counts: of a completed session, not training, not known to be incorrect.
 */
export function altered(facts: Facts, members: (rating: number) => boolean, alteration: Alteration): Facts {
  if (alteration === "flipped" || alteration === "tied")
    return { ...facts, score: exchanged(facts, members, alteration === "tied") };
  if (alteration === "added") return added(facts, members);
  const rows: number[] = [];
  const slates: number[] = [];
  const ids: bigint[] = [];
  for (let from = 0; from < facts.score.length;) {
    let to = from + 1;
    while (to < facts.score.length && facts.slate[to] === facts.slate[from] && facts.slate[from] !== -1) to++;
    for (let copy = 0; copy < 2; copy++) {
      const before = rows.length;
      for (let i = from; i < to; i++) {
        if (members(i) ? alteration === "dropped" : copy > 0) continue;
        rows.push(i);
        slates.push(facts.slate[from] === -1 ? -1 : ids.length);
      }
      if (rows.length > before && facts.slate[from] !== -1)
        ids.push(facts.slateIds[facts.slate[from] as number] as bigint);
    }
    from = to;
  }
  const take = <T extends Int32Array | Float64Array | Uint8Array | Int8Array>(column: T): T => {
    const taken = new (column.constructor as new (length: number) => T)(rows.length);
    rows.forEach((row, i) => (taken[i] = column[row] as number));
    return taken;
  };
  return {
    ...facts,
    score: take(facts.score),
    stimulus: take(facts.stimulus),
    dimension: take(facts.dimension),
    slate: Int32Array.from(slates),
    session: take(facts.session),
    job: take(facts.job),
    rater: take(facts.rater),
    training: take(facts.training),
    completed: take(facts.completed),
    correct: take(facts.correct),
    slateUpdated: take(facts.slateUpdated),
    slateIds: BigInt64Array.from(ids),
  };
}

function added(facts: Facts, members: (rating: number) => boolean): Facts {
  return {
    ...facts,
    training: facts.training.map((flag, i) => (members(i) ? 0 : flag)),
    completed: facts.completed.map((flag, i) => (members(i) ? 1 : flag)),
    correct: facts.correct.map((flag, i) => (members(i) ? -1 : flag)),
  };
}

function exchanged(
  { score, slate, dimension }: Facts,
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
