/** Comparisons and scores of one population. */
import type { PairCounts, RaterPairCounts } from "./pair-counts.js";

/** In the order of play. `outcome`: 1 a, -1 b, 0 a tie. `session` only changes where it does. */
export interface OrderedComparisons {
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly outcome: Int8Array;
  readonly session: Int32Array;
  /** Absent: one each. */
  readonly weight?: Float64Array | undefined;
  readonly covariates?: Covariates | undefined;
}

/** Each: left item's value less the right one's. */
interface Covariates {
  readonly values: readonly Float64Array[];
  /** By comparison: 1 if the left item is b. */
  readonly isReversed: Uint8Array;
}

/** Only items with a comparison, sorted. */
export interface NamedPairs {
  readonly items: readonly string[];
  readonly counts: PairCounts;
}

/** Only items with a score, sorted. */
export interface NamedScores {
  readonly items: readonly string[];
  /** Ascending. */
  readonly scores: readonly Float64Array[];
  /** In the order of ratings, as `raters`. */
  readonly unsorted: readonly Float64Array[];
  readonly raters: readonly Int32Array[];
}

export interface Sample {
  pairs(): NamedPairs;
  scores(): NamedScores;
  raterPairs(): RaterPairCounts;
  /** In service order. */
  comparisons(): OrderedComparisons;
  /** The last `wanted`, or all, in the population's own order. */
  latest(wanted: number): OrderedComparisons;
  /** Created on first use; at most `most` are kept. */
  kept<T extends object>(kind: string, most: number, make: () => T): T;
  /** Work: ratings, comparisons or pairs read. */
  spend(work: number): void;
}

export function stepOf({ scores }: NamedScores): number {
  const distinct = [...new Set(scores.flatMap((own) => [...new Set(own)]))].sort((a, b) => a - b);
  const steps = distinct.slice(1).map((score, i) => score - distinct[i]!);
  return Math.min(...(steps.length > 0 ? steps : [0]));
}
