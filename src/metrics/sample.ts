import type { OrderedComparisons } from "./elo/online-elo.js";
import type { PairCounts } from "./pairs/pair-counts.js";
import type { RaterPairCounts } from "./pairs/rater-pair-counts.js";

/** How often each pair of items was compared. Items are those that some comparison names, sorted. */
export interface NamedPairs {
  readonly items: readonly string[];
  readonly counts: PairCounts;
}

/** The scores of each item. Items are those that some score names, sorted. */
export interface NamedScores {
  readonly items: readonly string[];
  /** Ascending. */
  readonly scores: readonly Float64Array[];
  /** In the order of the ratings, with the rater of each in `raters`. */
  readonly unsorted: readonly Float64Array[];
  readonly raters: readonly Int32Array[];
}

/** The ratings of one population, in each form that a kind may be computed from. */
export interface Sample {
  pairs(): NamedPairs;
  scores(): NamedScores;
  raterPairs(): RaterPairCounts;
  /** In service order. */
  comparisons(): OrderedComparisons;
  /** The last comparisons in the population's own order, `wanted` or all there are. */
  latest(wanted: number): OrderedComparisons;
  /** What a kind keeps of this population for the next scenario, made when first asked for; of at most `most` populations. */
  kept<T extends object>(kind: string, most: number, make: () => T): T;
  /** Counts work: ratings, comparisons or pairs that were read. */
  spend(work: number): void;
}

/** A sample of which only pair counts, or only scores, are known. */
export function tallied(known: { readonly pairs?: NamedPairs; readonly scores?: NamedScores }): Sample {
  const only = <T>(value?: T): T => {
    if (value === undefined) throw new TypeError("This kind is not computed from what the sample holds.");
    return value;
  };
  return {
    pairs: () => only(known.pairs),
    scores: () => only(known.scores),
    raterPairs: () => only(),
    comparisons: () => only(),
    latest: () => only(),
    kept: (_kind, _most, make) => make(),
    spend: () => undefined,
  };
}
