import type { Convention } from "./convention.js";
import type { ScoredRating, ScoredSlate } from "./population.js";

/** The item of a rating: the pattern's first capture in the stimulus name, or the whole name if it does not match. */
type ItemOf = (rating: ScoredRating) => string;

export function itemNamer({
  item_key: key,
  item_pattern: pattern,
}: Pick<Convention, "item_key" | "item_pattern">): ItemOf {
  if (key === "stimulus_id") return ({ stimulus_id: id }) => String(id);
  if (pattern === null) return ({ stimulus }) => stimulus;
  const expression = new RegExp(pattern, "u");
  return ({ stimulus }) => expression.exec(stimulus)?.[1] ?? stimulus;
}

/**
 * Two different items of one slate and dimension, `a` the one that sorts first: `result` is 1 when `a` scored higher,
 * 0 lower, ½ equal.
 */
export interface Comparison {
  a: string;
  b: string;
  result: 1 | 0 | 0.5;
  session: string;
  rater: string;
}

/**
 * Comparisons in the order of the slates, of one dimension or of all (null; within a slate by the dimension's name).
 * Slates with any other count of scored ratings are skipped; with `pairs` `all`, every two of more are compared.
 */
export function comparisonsOf(
  slates: readonly ScoredSlate[],
  dimension: string | null,
  itemOf: ItemOf,
  pairs: Convention["pairs"],
): Comparison[] {
  const found: Comparison[] = [];
  for (const slate of slates) {
    const dimensions = dimension === null ? [...new Set(slate.ratings.map((r) => r.dimension))].sort() : [dimension];
    for (const own of dimensions) found.push(...comparisonsIn(slate, own, itemOf, pairs));
  }
  return found;
}

/** Sorted by item, then by result. */
function comparisonsIn(
  slate: ScoredSlate,
  dimension: string,
  itemOf: ItemOf,
  pairs: Convention["pairs"],
): Comparison[] {
  const scored = slate.ratings
    .filter((r) => r.dimension === dimension && r.score !== null)
    .map((r) => ({ item: itemOf(r), score: Number(r.score), rater: String(r.rater_id) }));
  if (scored.length !== 2 && pairs === "two") return [];
  const found = scored.flatMap((first) =>
    scored.flatMap((second): Comparison[] => {
      if (first.item >= second.item) return [];
      const margin = first.score - second.score;
      const result = margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
      return [{ a: first.item, b: second.item, result, session: slate.session_id, rater: scored[0]?.rater ?? "" }];
    }),
  );
  const before = (x: string, y: string): number => (x < y ? -1 : x > y ? 1 : 0);
  return found.sort((x, y) => before(x.a, y.a) || before(x.b, y.b) || x.result - y.result);
}

export interface ItemScore {
  score: number;
  rater: string;
}

/** The scores of every item in a dimension, or in all of them (null); null scores left out. */
export function scoredItems(
  slates: readonly ScoredSlate[],
  dimension: string | null,
  itemOf: ItemOf,
): Map<string, ItemScore[]> {
  const items = new Map<string, ItemScore[]>();
  for (const slate of slates) {
    for (const rating of slate.ratings) {
      if ((dimension !== null && rating.dimension !== dimension) || rating.score === null) continue;
      const item = itemOf(rating);
      const own = items.get(item) ?? [];
      own.push({ score: rating.score, rater: String(rating.rater_id) });
      items.set(item, own);
    }
  }
  return items;
}

export interface Tally {
  wins: number;
  losses: number;
  ties: number;
  n: number;
}

/** Wins, losses and ties of every item. */
export function tally(comparisons: Iterable<Comparison>): Map<string, Tally> {
  const tallies = new Map<string, Tally>();
  const of = (item: string): Tally => {
    const own = tallies.get(item) ?? { wins: 0, losses: 0, ties: 0, n: 0 };
    tallies.set(item, own);
    return own;
  };
  for (const { a, b, result } of comparisons) {
    for (const [item, share] of [
      [a, result],
      [b, 1 - result],
    ] as const) {
      const own = of(item);
      own.n += 1;
      if (share === 1) own.wins += 1;
      else if (share === 0) own.losses += 1;
      else own.ties += 1;
    }
  }
  return tallies;
}

/** A share of `n` or n - 1. Null if there is nothing to divide by. */
function shareOf(part: number, n: number, { percent_scale: scale, denominator }: Convention): number | null {
  const divisor = denominator === "n" ? n : n - 1;
  return divisor > 0 ? (scale * part) / divisor : null;
}

/** Share of comparisons that an item won, or lost. */
export function percentChosen(own: Tally, convention: Convention): { value: number | null; n: number } {
  const { percent_chosen: rule } = convention.ties;
  const n = rule === "exclude" ? own.n - own.ties : own.n;
  const ownSide = convention.chosen === "losses" ? own.losses : own.wins;
  return { value: shareOf(rule === "half" ? ownSide + own.ties / 2 : ownSide, n, convention), n };
}

/** Share of approving scores: above zero, or at least the middle of the scores seen in the dimension. */
export function percentApproved(
  scores: readonly number[],
  middle: number,
  convention: Convention,
): { value: number | null; n: number; approved: number } {
  let approved = 0;
  for (const score of scores) if (convention.approved === "midpoint" ? score >= middle : score > 0) approved += 1;
  return { value: shareOf(approved, scores.length, convention), n: scores.length, approved };
}

/** Online Elo over comparisons in their order. */
export function elo(comparisons: Iterable<Comparison>, convention: Convention["elo"]): Map<string, number> {
  const { k, start, scale, base, tie_value: tie, ties, update } = convention;
  const ratings = new Map<string, number>();
  let pending = new Map<string, number>();
  let session: string | undefined;
  const settle = (): void => {
    for (const [item, change] of pending) ratings.set(item, (ratings.get(item) ?? start) + change);
    pending = new Map();
  };
  const add = (item: string, change: number): void => {
    pending.set(item, (pending.get(item) ?? 0) + change);
  };
  for (const { a, b, result, session: own } of comparisons) {
    for (const item of [a, b]) if (!ratings.has(item)) ratings.set(item, start);
    if (result === 0.5 && ties === "skip") continue;
    if (update === "comparison" || own !== session) settle();
    session = own;
    const expected = 1 / (1 + base ** (((ratings.get(b) ?? start) - (ratings.get(a) ?? start)) / scale));
    const change = k * ((result === 0.5 ? tie : result) - expected);
    add(a, change);
    add(b, -change);
  }
  settle();
  return ratings;
}
