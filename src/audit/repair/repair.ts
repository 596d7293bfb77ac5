import type { Alteration } from "../ratings/index.js";

/** What is changed of published items. */
export type ItemChange = "items" | "exchanged" | "renamed" | "copied" | "merged" | "missing" | "shifted" | "scaled";

/** The smallest change found under which the published numbers follow. */
export interface Repair {
  /**
   * What is changed: the published numbers of some items, or the ratings of some sessions, raters or slates.
   * `undetermined`: changes were found under which the numbers follow, but so many were possible that some would by
   * chance.
   */
  readonly change: ItemChange | "stale" | Alteration | "undetermined";
  readonly unit: "item" | "session" | "rater" | "slate" | "rating";
  /** Identifiers of what is changed. */
  readonly ids: readonly string[];
  /** Other changes of as many units that do as well, as far as they were counted; coarse numbers may not tell them apart. */
  readonly alternatives: number;
  /** Conventions other than the run's own that have to be supposed as well, as `name=value`. */
  readonly under?: string;
  /** A sentence. */
  readonly says: string;
}
