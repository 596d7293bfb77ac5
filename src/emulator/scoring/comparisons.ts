// Comparisons of two items, their tallies, and online Elo.
import type { Convention } from "./convention.js";
import type { ScoredRating, ScoredSlate } from "./population.js";

/** The pattern's first capture in the stimulus name, or the whole name. */
type ItemOf = (rating: ScoredRating) => string;

export function itemNamer({ item_key: key, item_pattern: pattern }: Convention): ItemOf {
  if (key === "stimulus_id") return ({ stimulus_id: id }) => String(id);
  if (pattern === null) return ({ stimulus }) => stimulus;
  const expression = new RegExp(pattern, "u");
  return ({ stimulus }) => expression.exec(stimulus)?.[1] ?? stimulus;
}

/** `a` sorts first; `result` is 1 when `a` scored higher, 0 lower, ½ equal. */
export interface ScoredPair {
  a: string;
  b: string;
  result: 1 | 0 | 0.5;
  session: string;
  rater: string;
}

/**
 * In the order of the slates, of one dimension or of all (null; within a slate by name). Only
 * slates with two scored ratings, unless the convention compares all pairs.
 */
export function scoredPairs(
  slates: readonly ScoredSlate[],
  dimension: string | null,
  convention: Convention,
): ScoredPair[] {
  const itemOf = itemNamer(convention);
  return slates.flatMap((slate) => {
    const dimensions =
      dimension === null ? [...new Set(slate.ratings.map((r) => r.dimension))].sort() : [dimension];
    return dimensions.flatMap((own) => comparisonsOfSlate(slate, own, itemOf, convention.pairs));
  });
}

/** Sorted by item, then by result. */
function comparisonsOfSlate(
  slate: ScoredSlate,
  dimension: string,
  itemOf: ItemOf,
  pairs: Convention["pairs"],
): ScoredPair[] {
  const scored = slate.ratings
    .filter((r) => r.dimension === dimension && r.score !== null)
    .map((r) => ({ item: itemOf(r), score: Number(r.score), rater: String(r.rater_id) }));
  if (scored.length !== 2 && pairs === "two") return [];
  const [{ rater } = { rater: "" }] = scored;
  const found = scored.flatMap((first) =>
    scored.flatMap((second): ScoredPair[] => {
      if (first.item >= second.item) return [];
      const margin = first.score - second.score;
      const result = margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
      return [{ a: first.item, b: second.item, result, session: slate.session_id, rater }];
    }),
  );
  const before = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0);
  return found.sort((x, y) => before(x.a, y.a) || before(x.b, y.b) || x.result - y.result);
}

export interface Outcomes {
  wins: number;
  losses: number;
  ties: number;
  n: number;
}

export function tally(comparisons: Iterable<ScoredPair>): Map<string, Outcomes> {
  const tallies = new Map<string, Outcomes>();
  const count = (item: string, share: number): void => {
    const own = tallies.get(item) ?? { wins: 0, losses: 0, ties: 0, n: 0 };
    tallies.set(item, own);
    own.n += 1;
    own[share === 1 ? "wins" : share === 0 ? "losses" : "ties"] += 1;
  };
  for (const { a, b, result } of comparisons) {
    count(a, result);
    count(b, 1 - result);
  }
  return tallies;
}

/** Of `n` or n - 1. Null if there is nothing to divide by. */
export function shareOf(
  part: number,
  n: number,
  { percent_scale: scale, denominator }: Convention,
): number | null {
  const divisor = denominator === "n" ? n : n - 1;
  return divisor > 0 ? (scale * part) / divisor : null;
}

export function shareChosen(
  own: Outcomes,
  convention: Convention,
): { value: number | null; n: number } {
  const { percent_chosen: rule } = convention.ties;
  const n = rule === "exclude" ? own.n - own.ties : own.n;
  const ownSide = own[convention.chosen];
  return { value: shareOf(rule === "half" ? ownSide + own.ties / 2 : ownSide, n, convention), n };
}

export function emulatedElo(
  comparisons: Iterable<ScoredPair>,
  convention: Convention["elo"],
): Map<string, number> {
  const { k, start, scale, base, tie_value: tie, ties, update } = convention;
  const ratings = new Map<string, number>();
  const pending = new Map<string, number>();
  let session: string | undefined;
  const of = (item: string): number => ratings.get(item) ?? start;
  const settle = (): void => {
    for (const [item, change] of pending) ratings.set(item, of(item) + change);
    pending.clear();
  };
  for (const { a, b, result, session: own } of comparisons) {
    for (const item of [a, b]) ratings.set(item, of(item));
    if (result === 0.5 && ties === "skip") continue;
    if (update === "comparison" || own !== session) settle();
    session = own;
    const expected = 1 / (1 + base ** ((of(b) - of(a)) / scale));
    const change = k * ((result === 0.5 ? tie : result) - expected);
    pending.set(a, (pending.get(a) ?? 0) + change);
    pending.set(b, (pending.get(b) ?? 0) - change);
  }
  settle();
  return ratings;
}
