import type { Convention } from "./convention.js";
import type { ScoredRating, ScoredSlate } from "./study.js";

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
