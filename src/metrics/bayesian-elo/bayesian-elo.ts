import { mmStrengths, newtonStrengths, strengthData, type Strengths } from "./strengths.js";
import { connectedComponents } from "../numeric/components.js";
import type { BayesianEloConvention } from "./convention.js";
import { davidsonStrengths } from "./davidson.js";
import { comparisonsOfItems, type PairCounts, winsWithHalfTies } from "../pairs/pair-counts.js";
import { gammaQuantile } from "../numeric/quantiles.js";
import type { RaterPairCounts } from "../pairs/rater-pair-counts.js";
import { qualityStrengths } from "./rater-quality.js";

/** Names of the interval ends and their probabilities. */
export const intervalEnds = [
  ["p005", 0.005],
  ["p025", 0.025],
  ["p05", 0.05],
  ["p50", 0.5],
  ["p95", 0.95],
  ["p975", 0.975],
  ["p995", 0.995],
] as const;

/** The probabilities of the same names if a service's labels are shifted by one. */
const shiftedProbabilities = [0.005, 0.005, 0.025, 0.05, 0.5, 0.95, 0.975];

interface BayesianEloResult {
  /** Elo of each item at the posterior mode (or the early-stopped iterate). */
  readonly elo: Float64Array;
  /** Wins of each item, ties half; γ-weighted under rater quality. */
  readonly wins: Float64Array;
  /** Comparisons of each item, ties included. */
  readonly comparisons: Float64Array;
  /** λ of each item. */
  readonly strength: Float64Array;
  readonly component: Int32Array;
  readonly components: number;
  readonly iterations: number;
  readonly converged: boolean;
  readonly maxChangeElo: number;
  /** q of each rater if the convention has rater quality. */
  readonly quality: Float64Array | null;
  /** Probability of a tie between equal items under Davidson's model, otherwise null. */
  readonly tieChance: number | null;
}

/** Pair counts with the ties that a convention counts. */
export function countedTies<C extends PairCounts>(counts: C, { ties }: Pick<BayesianEloConvention, "ties">): C {
  return ties === "exclude" ? { ...counts, ties: counts.ties.map(() => 0) } : counts;
}

/**
 * Bayesian Elo of metrics.md from pair counts (one entry per pair, or per pair and rater if the convention has rater
 * quality). The iteration starts from the λ in `start`: it affects an early-stopped fit, and only saves steps if the
 * fit converges; rater quality ignores it.
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
  return stopElo === null ? newtonStrengths(data, convention, start) : mmStrengths(data, convention, stopElo, start);
}

/** Elo of λ such that the prior mode (a - 1)/b is at the anchor. */
export function eloOf(strength: number, { scale, anchor, shape, rate }: BayesianEloConvention): number {
  return anchor + scale * Math.log10((strength * rate) / (shape - 1));
}

/** Interval ends of each item in Elo, by name: quantiles of Gamma(shape a - 1 + w_i, mean λ_i). */
export function bayesianEloEnds(
  { strength, wins }: Pick<BayesianEloResult, "strength" | "wins">,
  convention: BayesianEloConvention,
): Record<string, Float64Array> {
  const shifted = convention.interval_labels === "shifted";
  const columns = intervalEnds.map(([name, probability], end) => {
    const at = shifted ? (shiftedProbabilities[end] as number) : probability;
    const column = strength.map((mean, item) => {
      const shape = convention.shape - 1 + (wins[item] as number);
      return eloOf((mean * gammaQuantile(at, shape)) / shape, convention);
    });
    return [name, column] as const;
  });
  return Object.fromEntries(columns);
}
