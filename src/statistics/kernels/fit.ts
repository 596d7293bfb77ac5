import {
  byGroup,
  comparisonsOf,
  fitWorths,
  likelihoodClasses,
  localIds,
  type PairCounts,
  type WorthFit,
} from "../../metrics/index.js";
import { type Random, seededRandom } from "../../platform/index.js";
import { normalDraws } from "./simulation.js";
import { mostPairedItems } from "./limits.js";

/** How well Bradley-Terry explains each pair, ties half. */
interface PairFit {
  /** Share of a's wins that the worths predict. */
  readonly expected: Float64Array;
  /** Pearson residual: the difference in standard errors of a binomial share. */
  readonly residual: Float64Array;
  readonly deviance: number;
  readonly worths: WorthFit;
  /** Pairs less items plus one. */
  readonly df: number;
}

const logShare = (wins: number, expected: number): number =>
  wins > 0 ? wins * Math.log(wins / expected) : 0;

/**
 * The fit of pair counts, one entry a pair; null if some items won or lost everything against the
 * others.
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
    residual: wins.map(
      (own, p) =>
        (own - n[p]! * expected[p]!) / Math.sqrt(n[p]! * expected[p]! * (1 - expected[p]!)),
    ),
    deviance,
    worths,
    df: wins.length - counts.items + 1,
  };
}

const fitDraws = 500;
/** From this variance on a binomial number is drawn as a rounded normal one. */
const largeVariance = 30;

/** A binomial number, by inversion. */
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
 * Share of 500 studies drawn from the fit (seed 1), with the observed share of ties, whose deviance
 * is as large or larger: with few comparisons of a pair χ² is no approximation of it. A draw
 * without a fit counts as larger.
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

/** Violations of transitivity among the triples of items of which every pair was compared. */
interface Transitivity {
  readonly triples: number;
  /**
   * Triples in which i is preferred to j and j to k, but i to k less than to ½, than both or than
   * either.
   */
  readonly weak: number;
  readonly moderate: number;
  readonly strong: number;
  /** Circular triads and Kendall's ζ; NaN where there is a reason. */
  readonly circular: number;
  readonly zeta: number;
  readonly reason: number;
}

/** Why there are no circular triads. */
const noTriads = { none: 0, fewItems: 1, incomplete: 2, noMajority: 3, manyItems: 4 } as const;

/** A share and one less the share of the other side differ by rounding. */
const rounding = 1e-12;

const tripleOrders = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Share of a's wins in each pair, ties half. */
function sharesWon(counts: PairCounts): Float64Array {
  const n = comparisonsOf(counts);
  return counts.winsA.map((own, p) => (own + counts.ties[p]! / 2) / n[p]!);
}

export function transitivity(counts: PairCounts): Transitivity {
  const { items, a, b } = counts;
  const share = sharesWon(counts);
  const prefers = new Float64Array(items * items).fill(NaN);
  share.forEach((own, p) => {
    prefers[a[p]! * items + b[p]!] = own;
    prefers[b[p]! * items + a[p]!] = 1 - own;
  });
  const of = (i: number, j: number): number => prefers[i * items + j]!;
  const found = { triples: 0, weak: 0, moderate: 0, strong: 0 };
  for (let i = 0; i < items; i++)
    for (let j = i + 1; j < items; j++)
      for (let k = j + 1; k < items; k++) {
        if (Number.isNaN(of(i, j) + of(j, k) + of(i, k))) continue;
        found.triples++;
        const triple = [i, j, k];
        const chains = tripleOrders
          .map((order) => order.map((at) => triple[at]!) as [number, number, number])
          .filter(([x, y, z]) => of(x, y) >= 0.5 && of(y, z) >= 0.5);
        const violates = (least: (first: number, second: number) => number): number =>
          Number(chains.some(([x, y, z]) => of(x, z) < least(of(x, y), of(y, z)) - rounding));
        found.weak += violates(() => 0.5);
        found.moderate += violates(Math.min);
        found.strong += violates(Math.max);
      }
  const none = (reason: number): Transitivity => ({ ...found, circular: NaN, zeta: NaN, reason });
  if (items < 3) return none(noTriads.fewItems);
  if (share.length < (items * (items - 1)) / 2) return none(noTriads.incomplete);
  if (share.includes(0.5)) return none(noTriads.noMajority);
  const scores = new Float64Array(items);
  share.forEach((own, p) => (scores[own > 0.5 ? a[p]! : b[p]!]! += 1));
  const circular =
    (items * (items - 1) * (2 * items - 1)) / 12 -
    scores.reduce((sum, own) => sum + own * own, 0) / 2;
  const most = (items * (items * items - (items % 2 === 0 ? 4 : 1))) / 24;
  return { ...found, circular, zeta: 1 - circular / most, reason: noTriads.none };
}

const fitReasons = { none: 0, noFit: 1, manyItems: 2 } as const;

/** Goodness of fit and transitivity, over counts of pairs. */
export const pairFitKernel = byGroup(
  "dimension_id",
  {
    "": {
      items: "integer",
      pairs: "integer",
      deviance: "double",
      df: "integer",
      p_bootstrap: "double",
      triples: "integer",
      weak_violations: "integer",
      moderate_violations: "integer",
      strong_violations: "integer",
      circular_triads: "double",
      zeta: "double",
      triads_reason: "integer",
      reason: "integer",
    },
    pairs: {
      item_1: "integer",
      item_2: "integer",
      n: "integer",
      share: "double",
      expected: "double",
      residual: "double",
    },
  },
  ({ rows }) => {
    const { ids, local } = localIds([rows.a as Int32Array, rows.b as Int32Array]);
    const {
      wins_a: winsA,
      wins_b: winsB,
      ties,
    } = rows as Record<"wins_a" | "wins_b" | "ties", Float64Array>;
    const counts: PairCounts = {
      items: ids.length,
      a: local[0]!,
      b: local[1]!,
      winsA,
      winsB,
      ties,
    };
    const isMany = ids.length > mostPairedItems;
    const fit = isMany ? null : pairFit(counts);
    const triads = isMany ? null : transitivity(counts);
    const isTested = fit !== null && fit.df > 0;
    return {
      "": {
        items: ids.length,
        pairs: winsA.length,
        deviance: fit?.deviance ?? NaN,
        df: fit?.df ?? NaN,
        p_bootstrap: isTested ? bootstrapDeviance(counts, fit) : NaN,
        triples: triads?.triples ?? NaN,
        weak_violations: triads?.weak ?? NaN,
        moderate_violations: triads?.moderate ?? NaN,
        strong_violations: triads?.strong ?? NaN,
        circular_triads: triads?.circular ?? NaN,
        zeta: triads?.zeta ?? NaN,
        triads_reason: triads?.reason ?? noTriads.manyItems,
        reason: isMany ? fitReasons.manyItems : fit === null ? fitReasons.noFit : fitReasons.none,
      },
      pairs: {
        item_1: local[0]!.map((item) => ids[item]!),
        item_2: local[1]!.map((item) => ids[item]!),
        n: comparisonsOf(counts),
        share: sharesWon(counts),
        expected: fit?.expected,
        residual: fit?.residual,
      },
    };
  },
);
