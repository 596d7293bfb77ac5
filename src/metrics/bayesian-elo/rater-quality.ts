/** Bayesian Bradley-Terry with a quality per rater. */
import { placesByValue } from "../numeric/arrays.js";
import { createAnderson } from "../numeric/solvers.js";
import { pairIndex, type PairIndex, type RaterPairCounts } from "../pair-counts.js";
import {
  type BayesianEloConvention,
  convergedElo,
  newtonStrengths,
  type Strengths,
} from "./strengths.js";

interface QualityResult extends Strengths {
  /** q by rater, a probability. */
  readonly quality: Float64Array;
  /** By item, γ-weighted: the w_i of the intervals. */
  readonly wins: Float64Array;
}

const maxRounds = 20_000;
/** Before acceleration: they determine the fixed point. */
const plainRounds = 10;
const convergedQuality = 1e-12;

/**
 * Rater quality (arXiv 2510.09333, metrics.md): with quality q a win counts γ = qB / (qB + (1 -
 * q)/2), B its probability. Converged: a round moves items by < 1e-9 Elo and qualities by < 1e-12.
 */
export function qualityStrengths(
  counts: RaterPairCounts,
  convention: BayesianEloConvention,
  { alpha, beta }: { alpha: number; beta: number },
): QualityResult {
  const { items, raters, rater, winsA, winsB, ties } = counts;
  const votes = raterVotes(counts);
  const judged = new Float64Array(raters);
  for (let p = 0; p < rater.length; p++) {
    judged[rater[p]!]! += winsA[p]! + winsB[p]! + ties[p]!;
  }
  let quality: Float64Array = new Float64Array(raters).fill(0.5);
  let strength: Float64Array = new Float64Array(items).fill(
    (convention.shape - 1) / convention.rate,
  );
  let wins: Float64Array = new Float64Array(items);
  const eloPerLog = convention.scale / Math.LN10;
  const anderson = createAnderson();
  let maxChangeElo = Infinity;
  let maxChangeQuality = Infinity;
  let iterations = 0;
  const isDone = (): boolean => maxChangeElo < convergedElo && maxChangeQuality < convergedQuality;
  while (iterations < maxRounds && !isDone()) {
    const weighed = weighVotes(votes, strength, quality);
    const solved = newtonStrengths({ ...votes.pairs, ...weighed }, convention, strength);
    const nextQuality = quality.map(
      (_, r) => (alpha - 1 + weighed.meant[r]!) / (alpha + beta - 2 + judged[r]!),
    );
    maxChangeElo = largest(solved.strength, (s, i) => Math.log(s / strength[i]!) * eloPerLog);
    maxChangeQuality = largest(nextQuality, (q, r) => q - quality[r]!);
    wins = weighed.wins;
    iterations++;
    const image = packParameters(solved.strength, nextQuality);
    const next =
      iterations < plainRounds ? image : anderson.next(packParameters(strength, quality), image);
    const chosen = isDone() ? image : next;
    strength = chosen.slice(0, items).map(Math.exp);
    quality = chosen.slice(items).map((logit) => 1 / (1 + Math.exp(-logit)));
    if (!solved.converged) break;
  }
  return { strength, iterations, converged: isDone(), maxChangeElo, quality, wins };
}

interface Votes {
  readonly items: number;
  readonly pairs: PairIndex;
  readonly starts: Int32Array;
  readonly pair: Int32Array;
  /** Wins of a and of b, ties half. */
  readonly forA: Float64Array;
  readonly forB: Float64Array;
}

function raterVotes(counts: RaterPairCounts): Votes {
  const { items, raters, rater, winsA, winsB, ties } = counts;
  const pairs = pairIndex(counts);
  const { from: starts, places } = placesByValue(rater, raters);
  return {
    items,
    pairs,
    starts,
    pair: places.map((p) => pairs.ofEntry[p]!),
    forA: Float64Array.from(places, (p) => winsA[p]! + ties[p]! / 2),
    forB: Float64Array.from(places, (p) => winsB[p]! + ties[p]! / 2),
  };
}

function weighVotes(
  { items, pairs: { a, b }, starts, pair: pairOf, forA, forB }: Votes,
  strength: Float64Array,
  quality: Float64Array,
): { wins: Float64Array; comparisons: Float64Array; meant: Float64Array } {
  const chance = Float64Array.from(a, (left, pair) => {
    return strength[left]! / (strength[left]! + strength[b[pair]!]!);
  });
  const meant = new Float64Array(quality.length);
  const wonByA = new Float64Array(a.length);
  const wonByB = new Float64Array(a.length);
  for (let r = 0; r < quality.length; r++) {
    const own = quality[r]!;
    let sum = 0;
    for (let p = starts[r]!; p < starts[r + 1]!; p++) {
      const pair = pairOf[p]!;
      const meantForA = forA[p]! * meaningful(own, chance[pair]!);
      const meantForB = forB[p]! * meaningful(own, 1 - chance[pair]!);
      wonByA[pair]! += meantForA;
      wonByB[pair]! += meantForB;
      sum += meantForA + meantForB;
    }
    meant[r] = sum;
  }
  const wins = new Float64Array(items);
  for (let pair = 0; pair < a.length; pair++) {
    wins[a[pair]!]! += wonByA[pair]!;
    wins[b[pair]!]! += wonByB[pair]!;
  }
  return { wins, comparisons: wonByA.map((won, pair) => won + wonByB[pair]!), meant };
}

function meaningful(quality: number, chance: number): number {
  const meant = quality * chance;
  return meant / (meant + (1 - quality) / 2);
}

/** A prior with alpha or beta of 1 lets a quality reach 0 or 1, where the logit is infinite. */
const nearestQuality = Number.EPSILON;

/** Log strengths and logits of qualities: any number is valid. */
function packParameters(strength: Float64Array, quality: Float64Array): Float64Array {
  const packed = new Float64Array(strength.length + quality.length);
  packed.set(strength.map(Math.log));
  packed.set(
    quality.map((q) => Math.log(Math.max(q, nearestQuality) / Math.max(1 - q, nearestQuality))),
    strength.length,
  );
  return packed;
}

function largest(values: Float64Array, change: (value: number, index: number) => number): number {
  let most = 0;
  values.forEach((value, i) => {
    const size = Math.abs(change(value, i));
    if (!(size <= most)) most = size;
  });
  return most;
}
