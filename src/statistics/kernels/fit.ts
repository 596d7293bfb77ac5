/** How well Bradley-Terry, ties half, explains each pair. */
import {
  byGroup,
  comparisonsOf,
  fitWorths,
  likelihoodClasses,
  namelessOrders,
  type PairCounts,
  pairCountsIn,
  type RaterPairCounts,
  type WorthFit,
} from "../../metrics/index.js";
import { type Random, seededRandom } from "../../platform/index.js";
import { normalDraws } from "./simulation.js";
import { mostPairedItems } from "./limits.js";

interface PairFit {
  /** Share of a's wins that the worths predict, by pair. */
  readonly expected: Float64Array;
  readonly deviance: number;
  readonly worths: WorthFit;
  /** Pairs less items plus one. */
  readonly df: number;
}

const logShare = (wins: number, expected: number): number =>
  wins > 0 ? wins * Math.log(wins / expected) : 0;

/**
 * One entry a pair; null if some items won or lost everything against the others.
 * @param start worths near those of the fit, which they do not change
 */
export function pairFit(counts: PairCounts, start?: WorthFit): PairFit | null {
  if (likelihoodClasses(counts).classes > 1) return null;
  const worths = fitWorths(counts, "half", start);
  const { logWorth } = worths;
  if (!worths.converged) return null;
  const n = comparisonsOf(counts);
  const wins = counts.winsA.map((own, p) => own + counts.ties[p]! / 2);
  const expected = wins.map(
    (_, p) => 1 / (1 + Math.exp(logWorth[counts.b[p]!]! - logWorth[counts.a[p]!]!)),
  );
  let deviance = 0;
  wins.forEach((own, p) => {
    const predicted = n[p]! * expected[p]!;
    deviance += 2 * (logShare(own, predicted) + logShare(n[p]! - own, n[p]! - predicted));
  });
  return {
    expected,
    deviance,
    worths,
    df: wins.length - counts.items + 1,
  };
}

/** Items in an order, and pairs turned and sorted, so that no name decides what is drawn. */
function withoutNames(counts: RaterPairCounts): PairCounts {
  const { items, a, b, winsA, winsB, ties } = counts;
  const [order] = namelessOrders(counts);
  const place = new Int32Array(items);
  order!.forEach((item, at) => (place[item] = at));
  const [left, right] = [a, b].map((column) => column.map((item) => place[item]!));
  const key = (pair: number): number =>
    Math.min(left![pair]!, right![pair]!) * items + Math.max(left![pair]!, right![pair]!);
  const pairs = Int32Array.from(a.keys()).sort((p, q) => key(p) - key(q));
  const sorted = (first: Float64Array, second: Float64Array): Float64Array =>
    Float64Array.from(pairs, (p) => (left![p]! < right![p]! ? first : second)[p]!);
  return {
    items,
    a: Int32Array.from(pairs, (p) => Math.floor(key(p) / items)),
    b: Int32Array.from(pairs, (p) => key(p) % items),
    winsA: sorted(winsA, winsB),
    winsB: sorted(winsB, winsA),
    ties: sorted(ties, ties),
  };
}

const fitDraws = 500;
/** From here on a binomial number is a rounded normal one. */
const largeVariance = 30;

/** By inversion. */
function binomialDraw(n: number, p: number, random: Random, normal: () => number): number {
  const variance = n * p * (1 - p);
  if (variance > largeVariance)
    return Math.min(n, Math.max(0, Math.round(n * p + Math.sqrt(variance) * normal())));
  const odds = Math.min(p, 1 - p) / Math.max(p, 1 - p);
  let probability = Math.max(p, 1 - p) ** n;
  let rest = random() - probability;
  let k = 0;
  while (rest > 0 && k < n) {
    k++;
    probability *= ((n - k + 1) / k) * odds;
    rest -= probability;
  }
  return p > 0.5 ? n - k : k;
}

/**
 * Share of 500 studies drawn from the fit (seed 1), with the observed share of ties, that have no
 * fit or at least its deviance: with few comparisons of a pair χ² is no approximation.
 */
export function bootstrapDeviance(counts: PairCounts, fit: PairFit): number {
  const random = seededRandom(1);
  const normal = normalDraws(random);
  const n = comparisonsOf(counts);
  const sum = (values: Float64Array): number => values.reduce((all, own) => all + own, 0);
  const tieShare = sum(counts.ties) / sum(n);
  let larger = 0;
  for (let draw = 0; draw < fitDraws; draw++) {
    const ties = n.map((own) => binomialDraw(own, tieShare, random, normal));
    const winsA = ties.map((tied, p) => {
      const decided = Math.min(
        1,
        Math.max(0, (fit.expected[p]! - tieShare / 2) / (1 - tieShare || 1)),
      );
      return binomialDraw(n[p]! - tied, decided, random, normal);
    });
    const winsB = winsA.map((won, p) => n[p]! - ties[p]! - won);
    const drawn = pairFit({ ...counts, winsA, winsB, ties }, fit.worths);
    if (drawn === null || drawn.deviance >= fit.deviance) larger++;
  }
  return (larger + 1) / (fitDraws + 1);
}

const fitReasons = { none: 0, noFit: 1, manyItems: 2 } as const;

export const pairFitKernel = byGroup(
  "dimension_id",
  {
    "": {
      items: "integer",
      pairs: "integer",
      deviance: "double",
      df: "integer",
      p_bootstrap: "double",
      reason: "integer",
    },
  },
  ({ rows }) => {
    const counts = withoutNames(pairCountsIn(rows).counts);
    const isMany = counts.items > mostPairedItems;
    const fit = isMany ? null : pairFit(counts);
    const isTested = fit !== null && fit.df > 0;
    return {
      "": {
        items: counts.items,
        pairs: counts.a.length,
        deviance: fit?.deviance ?? NaN,
        df: fit?.df ?? NaN,
        p_bootstrap: isTested ? bootstrapDeviance(counts, fit) : NaN,
        reason: isMany ? fitReasons.manyItems : fit === null ? fitReasons.noFit : fitReasons.none,
      },
    };
  },
);
