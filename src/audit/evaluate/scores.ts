import type { NamedScores } from "../../metrics/index.js";
import { itemsOf, selectRatings, type Population, type RatingColumns } from "../ratings/index.js";

/** The counted scores of each item, with their raters. */
export function scoresByItem(ratings: RatingColumns, population: Population): NamedScores {
  const chosen = selectRatings(ratings, population);
  const { names, ofStimulus } = itemsOf(ratings, population.item);
  const itemOf = (i: number): number => ofStimulus[ratings.stimulus[i] as number] as number;
  const counts = new Int32Array(names.length);
  chosen.forEach((isChosen, i) => {
    if (isChosen === 1) counts[itemOf(i)] = (counts[itemOf(i)] as number) + 1;
  });
  const unsorted = Array.from(counts, (n) => new Float64Array(n));
  const raters = Array.from(counts, (n) => new Int32Array(n));
  const filled = new Int32Array(names.length);
  chosen.forEach((isChosen, i) => {
    if (isChosen === 0) return;
    const item = itemOf(i);
    const slot = filled[item] as number;
    filled[item] = slot + 1;
    (unsorted[item] as Float64Array)[slot] = ratings.score[i] as number;
    (raters[item] as Int32Array)[slot] = ratings.rater[i] as number;
  });
  const present = names.map((_, i) => i).filter((i) => (counts[i] as number) > 0);
  const pick = <T>(values: readonly T[]): T[] => present.map((i) => values[i] as T);
  return {
    items: pick(names),
    unsorted: pick(unsorted),
    raters: pick(raters),
    scores: pick(unsorted).map((scores) => scores.toSorted()),
  };
}
