import type { ScoredRating, ScoredSlate } from "./study.js";

/** A slate as it was answered and the ratings of it that count. */
export interface Counted {
  whole: ScoredSlate;
  ratings: ScoredRating[];
}

/** A rater, a dimension and the stimuli shown: what a repeated answer has in common with the first. */
function taskOf({ ratings }: ScoredSlate, dimension: string): string {
  const own = ratings.filter((rating) => rating.dimension === dimension);
  const shown = own.map(({ stimulus, stimulus_id: id }) => JSON.stringify([stimulus, id])).sort();
  return JSON.stringify([own[0]?.rater_id, dimension, shown]);
}

/** Of the slates that ask a rater the same in a dimension, keeps the ratings of the first or of the last that count. */
export function withoutRepeats(slates: readonly Counted[], which: "first" | "last"): Counted[] {
  const kept = new Map<string, ScoredSlate>();
  for (const { whole, ratings } of slates) {
    for (const dimension of new Set(ratings.filter((r) => r.score !== null).map((r) => r.dimension))) {
      const task = taskOf(whole, dimension);
      if (which === "last" || !kept.has(task)) kept.set(task, whole);
    }
  }
  return slates.map(({ whole, ratings }) => ({
    whole,
    ratings: ratings.filter(({ dimension }) => kept.get(taskOf(whole, dimension)) === whole),
  }));
}
