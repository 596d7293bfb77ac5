/** Online Elo from the last comparisons alone. */
import { connectedComponents } from "../numeric/arrays.js";
import { comparisonsOf, type PairCounts } from "../pair-counts.js";
import type { OrderedComparisons, Sample } from "../sample.js";
import { type EloConvention, onlineElo } from "./online-elo.js";

/** Within this share of the scale two replays agree. */
const forgottenOfScale = 2.5e-12;
/** K·ln(base)/scale under which the length of a replay is measured. */
const usualGain = (32 * Math.LN10) / 400;

interface RecentElo {
  ratings(convention: EloConvention): Float64Array;
}

/**
 * Elo from the last comparisons: each averages the difference of two histories over its items
 * (if K·ln(base)/scale < 4), so ratings forget. Enough: replays from equal and from scattered
 * ratings agree to 1e-12; if that takes half of all, all are replayed. The number needed grows at
 * most in proportion to 1/K.
 */
export function recentElo(sample: Sample): RecentElo {
  const { counts } = sample.pairs();
  const { total, reach } = sample.kept("elo", 400, () => ({
    total: comparisonsOf(counts).reduce((sum, n) => sum + n, 0),
    /** By convention: comparisons times gain, and the largest gain where it is valid. */
    reach: new Map<string, { readonly comparisons: number; readonly gain: number }>(),
  }));
  return { ratings: (convention) => replay(convention, wantedFor(convention)) };

  /** Last comparisons that determine the ratings; Infinity: all. */
  function wantedFor(convention: EloConvention): number {
    const key = `${convention.update}:${convention.ties}:${convention.weights}`;
    const gain = (convention.k * Math.log(convention.base)) / convention.scale;
    let known = reach.get(key);
    if (known === undefined || gain > known.gain) {
      const measured = Math.max(gain, known === undefined ? usualGain : 2 * known.gain);
      const k = (measured * convention.scale) / Math.log(convention.base);
      known = { comparisons: measure({ ...convention, k }) * measured, gain: measured };
      reach.set(key, known);
    }
    return Math.ceil(known.comparisons / gain);
  }

  function measure(convention: EloConvention): number {
    const gain = (convention.k * Math.log(convention.base)) / convention.scale;
    const scattered = scatteredRatings(counts, convention);
    let wanted = Math.ceil((15 * counts.items) / Math.min(0.2, gain / 5));
    for (; wanted <= total; wanted = Math.ceil(1.5 * wanted)) {
      const rating = replay(convention, wanted);
      const other = replay(convention, wanted, scattered);
      if (rating.every((r, i) => Math.abs(r - other[i]!) <= forgottenOfScale * convention.scale))
        return 1.25 * wanted;
    }
    return Infinity;
  }

  function replay(convention: EloConvention, wanted: number, initial?: Float64Array): Float64Array {
    return onlineElo(counts.items, latest(wanted), convention, initial).rating;
  }

  /** A few more than `wanted`, so that similar K start alike. */
  function latest(wanted: number): OrderedComparisons {
    const rounded = Math.ceil(1.2 ** Math.ceil(Math.log(wanted) / Math.log(1.2)));
    // Weights add up to another number than there are comparisons.
    const all = sample.latest(1).weight === undefined ? total : Infinity;
    const comparisons = sample.latest(rounded > total / 2 ? all : rounded);
    sample.spend(comparisons.a.length);
    return comparisons;
  }
}

/** A few hundred Elo around the start; distances sum to zero in every component. */
function scatteredRatings(
  { items, a, b }: PairCounts,
  { start, scale }: EloConvention,
): Float64Array {
  const { component, components } = connectedComponents(items, a, b);
  const offset = Float64Array.from(
    { length: items },
    (_, i) => scale * Math.cos(2.399963 * (i + 1)),
  ); // golden angle: no two equal
  const sum = new Float64Array(components);
  const size = new Float64Array(components);
  offset.forEach((o, i) => {
    sum[component[i]!]! += o;
    size[component[i]!]! += 1;
  });
  return offset.map((o, i) => start + o - sum[component[i]!]! / size[component[i]!]!);
}
