import { itemOf } from "./item.js";
import type { ScoredSlate } from "./study.js";

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

/** Comparisons in the order of the slates. Slates with any other count of scored ratings are skipped. */
export function comparisonsOf(slates: readonly ScoredSlate[], dimension: string, pattern: string | null): Comparison[] {
  const found: Comparison[] = [];
  for (const slate of slates) {
    const scored = slate.ratings.filter((r) => r.dimension === dimension && r.score !== null);
    const [first, second] = scored.sort((x, y) => (itemOf(x.stimulus, pattern) < itemOf(y.stimulus, pattern) ? -1 : 1));
    if (scored.length !== 2 || first === undefined || second === undefined) continue;
    const a = itemOf(first.stimulus, pattern);
    const b = itemOf(second.stimulus, pattern);
    if (a === b) continue;
    const margin = Number(first.score) - Number(second.score);
    const result = margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
    found.push({ a, b, result, session: slate.session_id, rater: String(first.rater_id) });
  }
  return found;
}
