/** Bayesian Elo from pair counts. */
import type { OrderedComparisons } from "../sample.js";
import { connectedComponents } from "../numeric/arrays.js";
import { gammaQuantile } from "../numeric/statistics.js";
import {
  comparisonsOfItems,
  type PairCounts,
  type RaterPairCounts,
  winsWithHalfTies,
} from "../pair-counts.js";
import { qualityStrengths } from "./rater-quality.js";
import {
  type BayesianEloConvention,
  davidsonStrengths,
  mmStrengths,
  newtonStrengths,
  strengthData,
  type Strengths,
} from "./strengths.js";

export const quantileEnds = [
  ["p005", 0.005],
  ["p025", 0.025],
  ["p05", 0.05],
  ["p50", 0.5],
  ["p95", 0.95],
  ["p975", 0.975],
  ["p995", 0.995],
] as const;

/** Of the same names if a service's labels are shifted by one. */
const shiftedProbabilities = [0.005, 0.005, 0.025, 0.05, 0.5, 0.95, 0.975];

interface BayesianEloResult {
  readonly elo: Float64Array;
  /** By item, ties half; γ-weighted under rater quality. */
  readonly wins: Float64Array;
  /** By item, ties included. */
  readonly comparisons: Float64Array;
  /** λ by item. */
  readonly strength: Float64Array;
  readonly component: Int32Array;
  readonly components: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly maxChangeElo: number;
  /** q by rater; null without rater quality. */
  readonly quality: Float64Array | null;
  readonly tieChance: number | null;
}

function countedTies<C extends PairCounts>(
  counts: C,
  { ties }: Pick<BayesianEloConvention, "ties">,
): C {
  return ties === "exclude" ? { ...counts, ties: counts.ties.map(() => 0) } : counts;
}

/**
 * Bayesian Elo (metrics.md) from one entry per pair, or per pair and rater under rater quality.
 * The λ in `start` affect an early-stopped fit only; rater quality ignores them.
 */
export function bayesianElo(
  all: PairCounts | RaterPairCounts,
  convention: BayesianEloConvention,
  start?: Float64Array,
): BayesianEloResult {
  const counts = countedTies(all, convention);
  const fit = fitStrengths(counts, convention, start);
  const wins = fit.wins ?? winsWithHalfTies(counts);
  return {
    elo: fit.strength.map((strength) => eloOf(strength, convention)),
    wins,
    comparisons: comparisonsOfItems(counts),
    strength: fit.strength,
    ...connectedComponents(counts.items, counts.a, counts.b),
    iterations: fit.iterations,
    converged: fit.converged,
    maxChangeElo: fit.maxChangeElo,
    quality: fit.quality ?? null,
    tieChance: fit.tieChance ?? null,
  };
}

interface Fit extends Strengths {
  readonly wins?: Float64Array;
  readonly quality?: Float64Array;
  readonly tieChance?: number;
}

function fitStrengths(
  counts: PairCounts | RaterPairCounts,
  convention: BayesianEloConvention,
  start?: Float64Array,
): Fit {
  if (convention.ties === "davidson") return davidsonStrengths(counts, convention, start);
  const { rater_quality: quality, stop_elo: stopElo } = convention;
  if (quality !== null) {
    if (!("rater" in counts)) throw new TypeError("Rater quality needs pair counts by rater.");
    return qualityStrengths(counts, convention, quality);
  }
  const data = strengthData(counts);
  return stopElo === null
    ? newtonStrengths(data, convention, start)
    : mmStrengths(data, convention, stopElo, start);
}

/** The prior mode (a - 1)/b is at the anchor. */
export function eloOf(
  strength: number,
  { scale, anchor, shape, rate }: BayesianEloConvention,
): number {
  return anchor + scale * Math.log10((strength * rate) / (shape - 1));
}

/** In Elo: quantiles of Gamma(shape a - 1 + w_i, mean λ_i). */
export function bayesianEloEnds(
  { strength, wins }: Pick<BayesianEloResult, "strength" | "wins">,
  convention: BayesianEloConvention,
): Record<string, Float64Array> {
  const shifted = convention.interval_labels === "shifted";
  const columns = quantileEnds.map(([name, probability], end) => {
    const at = shifted ? shiftedProbabilities[end]! : probability;
    const column = strength.map((mean, item) => {
      const shape = convention.shape - 1 + wins[item]!;
      return eloOf((mean * gammaQuantile(at, shape)) / shape, convention);
    });
    return [name, column] as const;
  });
  return Object.fromEntries(columns);
}

/**
 * λ where the last early-stopped fit of a warm start begins. `session` is sorted, an entry per
 * count. Undefined if the start does not matter: it is cold, or the fit converges.
 */
export function warmStrengths(
  counts: PairCounts,
  session: Int32Array,
  convention: BayesianEloConvention,
): Float64Array | undefined {
  const { stop_elo: stopElo, start } = convention;
  if (stopElo === null || start === "cold" || convention.ties === "davidson") return undefined;
  const { ties } = countedTies(counts, convention);
  let strength: Float64Array | undefined;
  for (let to = 1; to < session.length; to++) {
    if (session[to] === session[to - 1]) continue;
    const soFar: PairCounts = {
      items: counts.items,
      a: counts.a.subarray(0, to),
      b: counts.b.subarray(0, to),
      winsA: counts.winsA.subarray(0, to),
      winsB: counts.winsB.subarray(0, to),
      ties: ties.subarray(0, to),
    };
    strength = mmStrengths(strengthData(soFar), convention, stopElo, strength).strength;
  }
  return strength;
}

/** λ before the last session; undefined if there is only one. `work`: pairs processed. */
export function carriedStrengths(
  c: OrderedComparisons,
  counts: PairCounts,
  convention: BayesianEloConvention,
  stop: number,
): { strength: Float64Array | undefined; work: number } {
  const items = counts.items;
  const last = c.session.at(-1);
  const data = {
    a: counts.a,
    b: counts.b,
    wins: new Float64Array(items),
    comparisons: new Float64Array(counts.a.length),
  };
  const pairOf = new Int32Array(items * items);
  counts.a.forEach((left, pair) => {
    const right = counts.b[pair]!;
    pairOf[left * items + right] = pairOf[right * items + left] = pair;
  });
  let strength: Float64Array | undefined;
  let work = 0;
  for (let i = 0; i < c.a.length && c.session[i] !== last; i++) {
    const left = c.a[i]!;
    const right = c.b[i]!;
    const share = (c.outcome[i]! + 1) / 2;
    const weight = c.weight === undefined ? 1 : c.weight[i]!;
    const counted = c.outcome[i] === 0 && convention.ties === "exclude" ? 0 : weight;
    data.wins[left]! += counted * share;
    data.wins[right]! += counted * (1 - share);
    const pair = pairOf[left * items + right]!;
    data.comparisons[pair]! += counted;
    if (c.session[i] === c.session[i + 1]) continue;
    const fit = mmStrengths(data, convention, stop, strength);
    work += (fit.iterations * data.a.length) / 2;
    strength = fit.strength;
  }
  return { strength, work };
}
