/** The smallest change found under which the published numbers follow. */
export interface SmallestDifference {
  /** What is changed: the published numbers of some items, or the ratings of some sessions, raters or slates. */
  readonly change: "items" | "exchanged" | "renamed" | "stale" | "dropped" | "doubled" | "flipped" | "tied";
  readonly unit: "item" | "session" | "rater" | "slate";
  /** Identifiers of what is changed. */
  readonly ids: readonly string[];
  /** Other single changes of this kind that do as well; coarse numbers may not tell them apart. */
  readonly alternatives: number;
  /** Conventions other than the run's own that have to be supposed as well, as `name=value`. */
  readonly under?: string;
  /** A sentence. */
  readonly says: string;
}
