import type { Convention } from "./convention.js";
import type { ScoredRating } from "./study.js";

/** What a rating counts for: under a pattern its first capture in the name of the stimulus, or the name where it does not match. */
export type ItemOf = (rating: ScoredRating) => string;

export function itemNamer({
  item_key: key,
  item_pattern: pattern,
}: Pick<Convention, "item_key" | "item_pattern">): ItemOf {
  if (key === "stimulus_id") return ({ stimulus_id: id }) => String(id);
  if (pattern === null) return ({ stimulus }) => stimulus;
  const expression = new RegExp(pattern, "u");
  return ({ stimulus }) => expression.exec(stimulus)?.[1] ?? stimulus;
}
