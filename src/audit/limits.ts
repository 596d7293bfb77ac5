import { settings } from "../platform/index.js";

/** Limits of the search for explanations. */
export interface SearchLimits {
  /** Maximum number of conventions to combine. */
  readonly depth: number;
  /** Ratings, comparisons and pairs to process before the search of one result ends. */
  readonly work: number;
}

export const defaultLimits: SearchLimits = { depth: settings.depth.default, work: 5e9 };
