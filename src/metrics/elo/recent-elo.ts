import type { Sample } from "../sample.js";
import { connectedComponents } from "../numeric/components.js";
import { addTo } from "../numeric/arrays.js";
import { comparisonsOf, type PairCounts } from "../pairs/pair-counts.js";
import type { EloConvention } from "./convention.js";
import { onlineElo, type OrderedComparisons } from "./online-elo.js";

/** Two replays that end no further apart than this share of the scale have forgotten where they began. */
const forgotten = 2.5e-12;
/** K·ln(base)/scale of the usual convention: where it is measured how far back a replay has to begin. */
const usualGain = (32 * Math.LN10) / 400;

interface RecentElo {
  ratings(convention: EloConvention): Float64Array;
  /** Ratings no further off than `error`, a share of the scale; null where the exact ones are as cheap. */
  rough(convention: EloConvention, error: number): Float64Array | null;
}

/**
 * Online Elo of one population from its last comparisons alone. Each comparison draws any two histories together (it
 * averages their difference over its two items as long as K·ln(base)/scale is below 4), so that ratings forget: a replay
 * of the last m comparisons ends where the whole one does once m is large enough. m is large enough when a replay from
 * equal ratings and one from scattered ratings end alike to 1e-12; where that takes half of all comparisons, all are
 * played. With a smaller K it takes as many times more comparisons, at most.
 */
export function recentElo(sample: Sample): RecentElo {
  const { counts } = sample.pairs();
  const { total, reach } = sample.kept("elo", 4, () => ({
    total: comparisonsOf(counts).reduce((sum, n) => sum + n, 0),
    /** By convention: comparisons times gain, and the largest gain for which that holds. */
    reach: new Map<string, { readonly comparisons: number; readonly gain: number }>(),
  }));
  return {
    ratings: (convention) => replay(convention, wantedFor(convention)),
    rough(convention, error) {
      const share = (1.25 * Math.log(error)) / Math.log(forgotten); // histories fade exponentially; with some to spare
      const wanted = Math.ceil(share * wantedFor(convention));
      if (!(wanted < total / 2)) return null;
      return onlineElo(counts.items, latest(wanted), convention, { isRough: true }).rating;
    },
  };

  /** How many of the last comparisons decide the ratings; Infinity: all of them. */
  function wantedFor(convention: EloConvention): number {
    const key = `${convention.update}:${convention.ties}`;
    const gain = (convention.k * Math.log(convention.base)) / convention.scale;
    let known = reach.get(key);
    if (known === undefined || gain > known.gain) {
      const measured = Math.max(gain, usualGain);
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
      if (rating.every((r, i) => Math.abs(r - (other[i] as number)) <= forgotten * convention.scale))
        return 1.25 * wanted;
    }
    return Infinity;
  }

  function replay(convention: EloConvention, wanted: number, initial?: Float64Array): Float64Array {
    return onlineElo(counts.items, latest(wanted), convention, { initial }).rating;
  }

  /** `wanted` of the last comparisons or a few more, so that neighbouring K begin at the same one; beyond half of all, all. */
  function latest(wanted: number): OrderedComparisons {
    const rounded = Math.ceil(1.2 ** Math.ceil(Math.log(wanted) / Math.log(1.2)));
    const comparisons = sample.latest(rounded > total / 2 ? total : rounded);
    sample.spend(comparisons.a.length);
    return comparisons;
  }
}

/**
 * Ratings some hundred Elo around the start, the same ones each time. Their distances from the start sum to zero in
 * every component, as those of all ratings do.
 */
function scatteredRatings({ items, a, b }: PairCounts, { start, scale }: EloConvention): Float64Array {
  const { component, components } = connectedComponents(items, a, b);
  const offset = Float64Array.from({ length: items }, (_, i) => scale * Math.cos(2.399963 * (i + 1))); // golden angle: no two alike
  const sum = new Float64Array(components);
  const size = new Float64Array(components);
  offset.forEach((o, i) => {
    addTo(sum, component[i] as number, o);
    addTo(size, component[i] as number, 1);
  });
  return offset.map(
    (o, i) => start + o - (sum[component[i] as number] as number) / (size[component[i] as number] as number),
  );
}
