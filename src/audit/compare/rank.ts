/** A published rank and the one that the scores give. */
interface JudgedRank {
  readonly item: string;
  readonly rank: number;
  /** The nearest rank that the scores allow. */
  readonly follows: number;
}

type Ranks = readonly { readonly item: string; readonly rank: number }[];

/**
 * Compares ranks with `scores` (item to score). Items with equal scores may share a rank or divide it; after a tie
 * ranks may continue with the next number or skip as many as are tied; they may start at 0 or 1. If items may be
 * missing (`isPartial`), ranks may have gaps. If the lowest score may be the best (`mayRise`: a scale of impairment),
 * the direction with fewer contradictions counts.
 */
export function judgeRanks(
  ranks: Ranks,
  scores: ReadonlyMap<string, number>,
  { isPartial = false, mayRise = false } = {},
): JudgedRank[] {
  const known = ranks
    .filter(({ item }) => scores.has(item))
    .map(({ item, rank }) => ({ item, rank, score: scores.get(item) as number }));
  const base = Math.min(1, ...known.map(({ rank }) => rank)) < 1 ? 0 : 1;
  const falling = inOrder(known, base, isPartial);
  if (!mayRise) return falling;
  const rising = inOrder(
    known.map((k) => ({ ...k, score: -k.score })),
    base,
    isPartial,
  );
  const wrong = (judged: readonly JudgedRank[]): number =>
    judged.filter(({ rank, follows }) => rank !== follows).length;
  return wrong(rising) < wrong(falling) ? rising : falling;
}

interface Ranked {
  readonly item: string;
  readonly rank: number;
  readonly score: number;
}

function inOrder(ranked: readonly Ranked[], base: number, isPartial: boolean): JudgedRank[] {
  const judged = ranked.map(({ item, rank, score }) => {
    const above = ranked.filter((other) => other.score > score);
    const level = ranked.filter((other) => other.score === score).length;
    const least = base + new Set(above.map((other) => other.score)).size;
    const most = base + above.length + level - 1;
    const follows = rank >= least && rank <= most ? rank : base + above.length;
    return { item, rank, follows };
  });
  const isOrdered = ranked.every((a) => ranked.every((b) => a.score <= b.score || a.rank < b.rank));
  return isPartial && isOrdered ? judged.map((j) => ({ ...j, follows: j.rank })) : judged;
}
