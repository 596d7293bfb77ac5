/** Bradley-Terry class by class, with sandwich errors. */
import { seededRandom } from "../../platform/index.js";
import { connectedComponents } from "../numeric/arrays.js";
import { ranksOf } from "../numeric/order.js";
import { comparisonsOfItems, type RaterPairCounts, winsWithHalfTies } from "../pair-counts.js";
import { likelihoodClasses, membersOf, restrict } from "./classes.js";
import { sandwichErrors } from "./errors.js";
import { type BradleyTerryConvention, fitWorths, type WorthFit } from "./model.js";
import { pooled, resampleRaters, summarise } from "./resample.js";

/** By item; NaN if the number does not exist. */
interface BradleyTerryResult {
  /** Natural log worth; sums to zero, and is comparable, within a class only. */
  readonly value: Float64Array;
  readonly standardError: Float64Array;
  readonly clusteredError: Float64Array;
  /** 1 if all comparisons of the item's class are ties: then it has no errors or intervals. */
  readonly isTied: Int8Array;
  /** 95 % percentile interval over resampled raters; NaN: open, or nothing was resampled. */
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Within the class, 1 the highest. */
  readonly rank: Int32Array;
  readonly wins: Float64Array;
  readonly comparisons: Float64Array;
  readonly component: Int32Array;
  readonly class: Int32Array;
  readonly components: number;
  readonly classes: number;
  readonly iterations: number;
  readonly converged: boolean;
  /** In the largest class; NaN if ties count half or there are none. */
  readonly tieChance: number;
  readonly tieScale: number;
  /** Resampled fits, and those with a finite estimate; the others count as infinite. */
  readonly drawsTried: number;
  readonly drawsUsed: number;
}

/** Bradley-Terry class by class (metrics.md). `squares`: its entries with squared weights. */
export function bradleyTerry(
  counts: RaterPairCounts,
  convention: BradleyTerryConvention,
  squares?: RaterPairCounts,
): BradleyTerryResult {
  const { items } = counts;
  const whole = pooled(counts);
  const { ofItem, classes } = likelihoodClasses(whole);
  const nan = (): Float64Array => new Float64Array(items).fill(NaN);
  const out = {
    value: nan(),
    standardError: nan(),
    clusteredError: nan(),
    low: nan(),
    high: nan(),
    rank: new Int32Array(items),
    isTied: new Int8Array(items),
  };
  let iterations = 0;
  let converged = true;
  let largest = 0;
  let drawsTried = 0;
  let drawsUsed = Infinity;
  let tie: readonly number[] = [];
  for (const members of membersOf(ofItem, classes)) {
    const part = restrict(counts, members);
    const pairs = part === counts ? whole : pooled(part);
    const fit = fitWorths(pairs, convention.ties);
    const isTied = ![...pairs.winsA, ...pairs.winsB].some((wins) => wins > 0);
    const drawn = intervalsOf(part, fit, isTied, convention);
    const none = new Float64Array(members.length).fill(NaN);
    const errors = isTied
      ? { plain: none, clustered: none }
      : sandwichErrors(pairs, part, fit, squares && pooled(restrict(squares, members)));
    const found = {
      value: fit.logWorth,
      standardError: errors.plain,
      clusteredError: errors.clustered,
      isTied: Int8Array.from(members, () => Number(isTied && members.length > 1)),
      rank: ranksOf(fit.logWorth),
      ...drawn.intervals,
    };
    for (const name of Object.keys(out) as (keyof typeof out)[])
      members.forEach((item, i) => (out[name][item] = found[name][i]!));
    iterations = Math.max(iterations, fit.iterations);
    converged &&= fit.converged;
    drawsTried = Math.max(drawsTried, drawn.tried);
    if (drawn.tried > 0) drawsUsed = Math.min(drawsUsed, drawn.used);
    if (members.length > largest) {
      largest = members.length;
      tie = fit.tie;
    }
  }
  return {
    ...out,
    wins: winsWithHalfTies(whole),
    comparisons: comparisonsOfItems(whole),
    ...connectedComponents(items, whole.a, whole.b),
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

/** None without any win. */
function intervalsOf(
  counts: RaterPairCounts,
  fit: WorthFit,
  isTied: boolean,
  { seed, ties, rater_samples: samples }: BradleyTerryConvention,
) {
  const { tried, draws } = resampleRaters(
    counts,
    fit,
    ties,
    isTied ? 0 : samples,
    seededRandom(seed),
  );
  const used = draws.filter(({ isFinite }) => isFinite).length;
  return { tried, used, intervals: summarise(counts.items, draws) };
}
