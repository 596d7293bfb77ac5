import type { ItemOf } from "./item.js";
import type { ScoredSlate } from "./study.js";

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
