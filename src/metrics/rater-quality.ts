import { newtonStrengths, convergedElo, type Strengths } from "./bayesian-strengths.js";
import type { BayesianEloConvention } from "./conventions.js";
import type { PairCounts } from "./pair-counts.js";

/** Pair counts split by rater: one entry a pair and rater. Raters are indices from 0. */
export interface RaterPairCounts extends PairCounts {
  readonly raters: number;
  readonly rater: Int32Array;
}

export interface QualityResult extends Strengths {
  /** q of each rater, a probability. */
  readonly quality: Float64Array;
  /** γ-weighted wins of each item: the w_i of the intervals. */
  readonly wins: Float64Array;
}

const maxRounds = 20_000;

/**
 * Bayesian Bradley-Terry with a quality per rater (arXiv 2510.09333, metrics.md): with quality q a
 * win counts γ = qB / (qB + (1 - q)/2), B the chance of that win. Each round weighs the wins,
 * solves the strengths under those weights by Newton, and updates the qualities; converged means
 * that a round moved no item by 1e-9 Elo and no quality by 1e-12.
 */
export function qualityStrengths(
  counts: RaterPairCounts,
  convention: BayesianEloConvention,
  { alpha, beta }: { alpha: number; beta: number },
): QualityResult {
  const { items, raters, a, b, rater, winsA, winsB, ties } = counts;
  const quality = new Float64Array(raters).fill(0.5);
  const judged = new Float64Array(raters);
  for (let p = 0; p < a.length; p++) {
    add(judged, rater[p] as number, (winsA[p] as number) + (winsB[p] as number) + (ties[p] as number));
  }
  let strength = new Float64Array(items).fill((convention.shape - 1) / convention.rate);
  const wins = new Float64Array(items);
  const comparisons = new Float64Array(a.length);
  const weight = new Float64Array(raters);
  const eloPerLog = convention.scale / Math.LN10;
  let maxChangeElo = Infinity;
  let maxChangeQuality = Infinity;
  let iterations = 0;
  while (iterations < maxRounds && (maxChangeElo >= convergedElo || maxChangeQuality >= 1e-12)) {
    wins.fill(0);
    weight.fill(0);
    for (let p = 0; p < a.length; p++) {
      const left = a[p] as number;
      const right = b[p] as number;
      const own = quality[rater[p] as number] as number;
      const chance = (strength[left] as number) / ((strength[left] as number) + (strength[right] as number));
      const half = (ties[p] as number) / 2;
      const leftWins = ((winsA[p] as number) + half) * meaningful(own, chance);
      const rightWins = ((winsB[p] as number) + half) * meaningful(own, 1 - chance);
      add(wins, left, leftWins);
      add(wins, right, rightWins);
      add(weight, rater[p] as number, leftWins + rightWins);
      comparisons[p] = leftWins + rightWins;
    }
    const solved = newtonStrengths({ a, b, wins, comparisons }, convention, strength);
    maxChangeElo = 0;
    for (let i = 0; i < items; i++) {
      const change = Math.abs(Math.log((solved.strength[i] as number) / (strength[i] as number))) * eloPerLog;
      if (!(change <= maxChangeElo)) maxChangeElo = change;
    }
    strength = solved.strength.slice();
    maxChangeQuality = 0;
    for (let r = 0; r < raters; r++) {
      const next = (alpha - 1 + (weight[r] as number)) / (alpha + beta - 2 + (judged[r] as number));
      maxChangeQuality = Math.max(maxChangeQuality, Math.abs(next - (quality[r] as number)));
      quality[r] = next;
    }
    iterations++;
    if (!solved.converged) break;
  }
  const converged = maxChangeElo < convergedElo && maxChangeQuality < 1e-12;
  return { strength, iterations, converged, maxChangeElo, quality, wins };
}

/** The chance that a win was meant and not a coin's. */
function meaningful(quality: number, chance: number): number {
  const meant = quality * chance;
  return meant / (meant + (1 - quality) / 2);
}

function add(values: Float64Array, index: number, amount: number): void {
  values[index] = (values[index] as number) + amount;
}

/** Counts how often each pair met before each rater: in the order of (rater, smaller item, larger item). */
export function raterPairCountsOf(
  items: number,
  raters: number,
  { a, b, outcome, rater }: { a: Int32Array; b: Int32Array; outcome: Int8Array; rater: Int32Array },
): RaterPairCounts {
  const cells = new Map<number, [number, number, number]>();
  for (let i = 0; i < a.length; i++) {
    const swap = (a[i] as number) > (b[i] as number);
    const low = (swap ? b[i] : a[i]) as number;
    const high = (swap ? a[i] : b[i]) as number;
    const key = ((rater[i] as number) * items + low) * items + high;
    let cell = cells.get(key);
    if (cell === undefined) cells.set(key, (cell = [0, 0, 0]));
    const result = (outcome[i] as number) * (swap ? -1 : 1);
    cell[result > 0 ? 0 : result < 0 ? 1 : 2]++;
  }
  const keys = Float64Array.from(cells.keys()).sort();
  const count = (kind: 0 | 1 | 2): Float64Array => keys.map((key) => (cells.get(key) as [number, number, number])[kind]);
  return {
    items,
    raters,
    rater: Int32Array.from(keys, (key) => Math.floor(key / items / items)),
    a: Int32Array.from(keys, (key) => Math.floor(key / items) % items),
    b: Int32Array.from(keys, (key) => key % items),
    winsA: count(0),
    winsB: count(1),
    ties: count(2),
  };
}
