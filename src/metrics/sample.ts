/** Comparisons and scores of one population. */
import type { PairCounts, RaterPairCounts } from "./pair-counts.js";

/**
 * Comparisons in the order of play. `outcome`: 1 a was preferred, -1 b was
 * preferred, 0 a tie. `session` needs only to change where the session changes.
 */
export interface OrderedComparisons {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly outcome: Int8Array;
  readonly session: Int32Array;
  /** Comparisons that each counts as; absent: one each. */
  readonly weight?: Float64Array | undefined;
  readonly covariates?: Covariates | undefined;
}

/** Covariates of comparisons, each as the value of the left item less that of the right one. */
interface Covariates {
  readonly values: readonly Float64Array[];
  /** 1 for each comparison whose left item is b. */
  readonly isReversed: Uint8Array;
}

/** The comparisons of each pair of items; only items with a comparison, sorted. */
export interface NamedPairs {
  readonly items: readonly string[];
  readonly counts: PairCounts;
}

/** The scores of each item; only items with a score, sorted. */
export interface NamedScores {
  readonly items: readonly string[];
  /** Ascending. */
  readonly scores: readonly Float64Array[];
  /** In the order of the ratings, with the rater of each in `raters`. */
  readonly unsorted: readonly Float64Array[];
  readonly raters: readonly Int32Array[];
}

/** The ratings of one population, in every form that a kind may need. */
export interface Sample {
  pairs(): NamedPairs;
  scores(): NamedScores;
  raterPairs(): RaterPairCounts;
  /** In service order. */
  comparisons(): OrderedComparisons;
  /** The last `wanted` comparisons in the population's own order, or all if there are fewer. */
  latest(wanted: number): OrderedComparisons;
  /** Created on first use and kept for later scenarios; at most `most` of them. */
  kept<T extends object>(kind: string, most: number, make: () => T): T;
  /** Counts work: the number of ratings, comparisons or pairs read. */
  spend(work: number): void;
}

export function stepOf({ scores }: NamedScores): number {
  const distinct = [...new Set(scores.flatMap((own) => [...new Set(own)]))].sort((a, b) => a - b);
  const steps = distinct.slice(1).map((score, i) => score - distinct[i]!);
  return Math.min(...(steps.length > 0 ? steps : [0]));
}
