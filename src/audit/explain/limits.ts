/** When the search for an explanation ends. */

export interface SearchLimits {
  /** Ratings, comparisons and pairs to process before the search of one result ends. */
  readonly work: number;
}

export const defaultLimits: SearchLimits = { work: 5e9 };
