import {
  connectedComponents,
  type EloConvention,
  onlineElo,
  type OrderedComparisons,
  comparisonsOf,
  type PairCounts,
} from "../../metrics/index.js";
import type { Latest } from "./latest.js";
import { tabledElo } from "./tabled-elo.js";

/** Two replays that end no further apart than this share of the scale have forgotten where they began. */
const forgotten = 2.5e-12;
/** K·ln(base)/scale of the usual convention: where it is measured how far back a replay has to begin. */
const usualGain = (32 * Math.LN10) / 400;

/**
 * Online Elo of one population from its last comparisons alone. Each comparison draws any two histories together (it
 * averages their difference over its two items as long as K·ln(base)/scale is below 4), so that ratings forget: a replay
 * of the last m comparisons ends where the whole one does once m is large enough. m is large enough when a replay from
 * equal ratings and one from scattered ratings end alike to 1e-12; where that takes half of all comparisons, all are
 * played. With a smaller K it takes as many times more comparisons, at most.
 */
export class RecentElo {
  /** Comparisons played and runs gone through so far. */
  work = 0;
  readonly #latest: Latest;
  readonly #counts: PairCounts;
  readonly #total: number;
  /** By convention: comparisons times K·ln(base)/scale, and the largest K·ln(base)/scale for which that holds. */
  readonly #reach = new Map<string, { readonly comparisons: number; readonly gain: number }>();

  constructor(latest: Latest, counts: PairCounts) {
    this.#latest = latest;
    this.#counts = counts;
    this.#total = comparisonsOf(counts).reduce((sum, n) => sum + n, 0);
  }

  ratings(convention: EloConvention): Float64Array {
    return this.#replay(convention, this.#wanted(convention));
  }

  /** Ratings no further off than `error`, a share of the scale; null where the exact ones are as cheap. */
  rough(convention: EloConvention, error: number): Float64Array | null {
    const share = (1.25 * Math.log(error)) / Math.log(forgotten); // histories fade exponentially; with some to spare
    const wanted = Math.ceil(share * this.#wanted(convention));
    return wanted < this.#total / 2 ? tabledElo(this.#counts.items, this.#lastOnes(wanted), convention) : null;
  }

  /** How many of the last comparisons decide the ratings; Infinity: all of them. */
  #wanted(convention: EloConvention): number {
    const key = `${convention.update}:${convention.ties}`;
    const gain = (convention.k * Math.log(convention.base)) / convention.scale;
    let reach = this.#reach.get(key);
    if (reach === undefined || gain > reach.gain) {
      const measured = Math.max(gain, usualGain);
      reach = {
        comparisons:
          this.#measure({ ...convention, k: (measured * convention.scale) / Math.log(convention.base) }) * measured,
        gain: measured,
      };
      this.#reach.set(key, reach);
    }
    return Math.ceil(reach.comparisons / gain);
  }

  #measure(convention: EloConvention): number {
    const gain = (convention.k * Math.log(convention.base)) / convention.scale;
    const scattered = this.#scattered(convention);
    let wanted = Math.ceil((15 * this.#counts.items) / Math.min(0.2, gain / 5));
    for (; wanted <= this.#total; wanted = Math.ceil(1.5 * wanted)) {
      const rating = this.#replay(convention, wanted);
      const other = this.#replay(convention, wanted, scattered);
      if (rating.every((r, i) => Math.abs(r - (other[i] as number)) <= forgotten * convention.scale))
        return 1.25 * wanted;
    }
    return Infinity;
  }

  #replay(convention: EloConvention, wanted: number, from?: Float64Array): Float64Array {
    const comparisons = this.#lastOnes(wanted);
    return onlineElo(this.#counts.items, comparisons, convention, 0, comparisons.a.length, from).rating;
  }

  /** `wanted` of the last comparisons or a few more: neighbouring K begin at the same one. Where that is half of all, all. */
  #lastOnes(wanted: number): OrderedComparisons {
    const before = this.#latest.work;
    const rounded = Math.ceil(1.2 ** Math.ceil(Math.log(wanted) / Math.log(1.2)));
    const comparisons = this.#latest.last(rounded > this.#total / 2 ? this.#total : rounded);
    this.work += this.#latest.work - before + comparisons.a.length;
    return comparisons;
  }

  /**
   * Ratings some hundred Elo around the start, the same ones each time. They sum to nothing in every component, as
   * every rating's distance from the start does.
   */
  #scattered({ start, scale }: EloConvention): Float64Array {
    const { items, a, b } = this.#counts;
    const { component, components } = connectedComponents(items, a, b);
    const offset = Float64Array.from({ length: items }, (_, i) => scale * Math.cos(2.399963 * (i + 1))); // golden angle: no two alike
    const sum = new Float64Array(components);
    const size = new Float64Array(components);
    offset.forEach((o, i) => {
      const own = component[i] as number;
      sum[own] = (sum[own] as number) + o;
      size[own] = (size[own] as number) + 1;
    });
    return offset.map(
      (o, i) => start + o - (sum[component[i] as number] as number) / (size[component[i] as number] as number),
    );
  }
}
