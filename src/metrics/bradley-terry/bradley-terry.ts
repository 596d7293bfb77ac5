import { seededRandom } from "../../platform/index.js";
import { connectedComponents } from "../numeric/components.js";
import type { BradleyTerryConvention } from "./convention.js";
import { comparisonsOfItems, winsWithHalfTies } from "../pairs/pair-counts.js";
import { pairIndex, type RaterPairCounts } from "../pairs/rater-pair-counts.js";
import { likelihoodClasses } from "./classes.js";
import { fitWorths } from "./model.js";
import { resampleRaters, weigh } from "./resample.js";
import { sandwichErrors } from "./sandwich.js";
import { summarise } from "./summary.js";

/** One array per field, one entry per item; NaN if the number does not exist. */
interface BradleyTerryResult {
  /** Log worth, natural logarithm; sums to zero within a class. Comparable within a class only. */
  readonly value: Float64Array;
  readonly standardError: Float64Array;
  /** 95 % percentile interval of the log worth over resampled raters. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Rank within the class, 1 the best, and its 95 % interval over resampled raters. */
  readonly rank: Int32Array;
  readonly rankBest: Float64Array;
  readonly rankWorst: Float64Array;
  readonly wins: Float64Array;
  readonly comparisons: Float64Array;
  readonly component: Int32Array;
  readonly class: Int32Array;
  readonly components: number;
  readonly classes: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** Probability of a tie between equals, and σ, in the largest class; NaN if ties count half or there are none. */
  readonly tieChance: number;
  readonly tieScale: number;
  /** Number of resampled fits requested, and of those in which every class had a finite estimate. */
  readonly drawsTried: number;
  readonly drawsUsed: number;
}

/** Maximum-likelihood Bradley-Terry with sandwich errors, class by class (metrics.md, "Beyond the published kinds"). */
export function bradleyTerry(counts: RaterPairCounts, convention: BradleyTerryConvention): BradleyTerryResult {
  const { items } = counts;
  const whole = weigh(counts, pairIndex(counts), new Float64Array(counts.raters).fill(1));
  const { ofItem, classes } = likelihoodClasses(whole);
  const nan = (): Float64Array => new Float64Array(items).fill(NaN);
  const out = {
    value: nan(),
    standardError: nan(),
    low: nan(),
    high: nan(),
    rank: new Int32Array(items),
    rankBest: nan(),
    rankWorst: nan(),
  };
  let [iterations, converged, largest, drawsTried, drawsUsed] = [0, true, 0, 0, Infinity];
  let tie: readonly number[] = [];
  for (let own = 0; own < classes; own++) {
    const members = Int32Array.from(ofItem.keys()).filter((item) => ofItem[item] === own);
    const part = restrict(counts, members);
    const pooled = weigh(part, pairIndex(part), new Float64Array(counts.raters).fill(1));
    const fit = fitWorths(pooled, convention.ties);
    const random = seededRandom(convention.seed);
    const samples = members.length > 1 ? convention.rater_samples : 0;
    const draws = resampleRaters(part, fit, convention.ties, samples, random);
    const summary = summarise(fit.logWorth, draws.logWorths);
    const errors = members.length > 1 ? sandwichErrors(pooled, fit) : Float64Array.of(NaN);
    const found = { value: fit.logWorth, standardError: errors, ...summary };
    for (const name of Object.keys(out) as (keyof typeof out)[])
      members.forEach((item, i) => (out[name][item] = found[name][i] as number));
    iterations = Math.max(iterations, fit.iterations);
    converged &&= fit.converged;
    drawsTried = Math.max(drawsTried, draws.tried);
    if (draws.tried > 0) drawsUsed = Math.min(drawsUsed, draws.logWorths.length);
    if (members.length > largest) [largest, tie] = [members.length, fit.tie];
  }
  return {
    ...out,
    wins: winsWithHalfTies(counts),
    comparisons: comparisonsOfItems(counts),
    ...connectedComponents(items, counts.a, counts.b),
    class: ofItem,
    classes,
    iterations,
    converged,
    tieChance: tie[0] === undefined ? NaN : 1 / (1 + Math.exp(-tie[0])),
    tieScale: tie[0] === undefined ? NaN : (tie[1] ?? 1),
    drawsTried,
    drawsUsed: drawsTried === 0 ? 0 : drawsUsed,
  };
}

/** The comparisons among `members`, which become items 0, 1 … in their order. */
function restrict(counts: RaterPairCounts, members: Int32Array): RaterPairCounts {
  const index = new Map(Array.from(members, (item, i) => [item, i]));
  const kept = Int32Array.from(counts.a.keys()).filter(
    (p) => index.has(counts.a[p] as number) && index.has(counts.b[p] as number),
  );
  const local = (ids: Int32Array): Int32Array => kept.map((p) => index.get(ids[p] as number) as number);
  const take = (values: Float64Array): Float64Array => Float64Array.from(kept, (p) => values[p] as number);
  return {
    items: members.length,
    raters: counts.raters,
    rater: kept.map((p) => counts.rater[p] as number),
    a: local(counts.a),
    b: local(counts.b),
    winsA: take(counts.winsA),
    winsB: take(counts.winsB),
    ties: take(counts.ties),
  };
}
