/** Rules by which votes rank items, for the search for the fewest votes that decide. */
import {
  type Conventions,
  derivatives,
  distinctOf,
  factorInPlace,
  fitWorths,
  isAbove,
  likelihoodClasses,
  type OrderedComparisons,
  type PairCounts,
  pairIndex,
  placesByValue,
  type PlacesByValue,
  substitute,
  type WorthFit,
} from "../../metrics/index.js";
import { remembered } from "../../platform/index.js";

export interface Rule {
  readonly items: number;
  /** By vote, from 0: votes of one class have the same influence. */
  readonly classOf: Int32Array;
  readonly byClass: PlacesByValue;
  /** Operations of one call of `values`, about. */
  readonly work: number;
  /** By item, without the votes at these places; null if there are none. */
  values(leftOut: ArrayLike<number>): Float64Array | null;
  /** By class, about how much value[i] − value[j] falls without one of its votes. */
  influence(i: number, j: number): Float64Array;
  /** The fewest votes without which j is above i; null if there are none or more than `most`. */
  readonly fewestVotes?: (i: number, j: number, most: number) => Int32Array | null;
}

export type Votes = Pick<OrderedComparisons, "a" | "b" | "outcome"> & { readonly items: number };

function countsByClass(
  classOf: Int32Array,
  classes: number,
): (leftOut: ArrayLike<number>) => Float64Array {
  const all = new Float64Array(classes);
  for (let vote = 0; vote < classOf.length; vote++) all[classOf[vote]!]! += 1;
  return (leftOut) => {
    const counts = all.slice();
    for (let at = 0; at < leftOut.length; at++) counts[classOf[leftOut[at]!]!]! -= 1;
    return counts;
  };
}

function classedVotes({ items, ...games }: Votes) {
  const pairs = pairIndex({ items, ...games });
  const classOf = new Int32Array(games.a.length);
  for (let vote = 0; vote < classOf.length; vote++)
    classOf[vote] = 3 * pairs.ofEntry[vote]! + games.outcome[vote]! + 1;
  const classes = 3 * pairs.a.length;
  const count = countsByClass(classOf, classes);
  const countsOf = (leftOut: ArrayLike<number>): PairCounts => {
    const counts = count(leftOut);
    const of = (result: number): Float64Array => {
      const own = new Float64Array(pairs.a.length);
      for (let pair = 0; pair < own.length; pair++) own[pair] = counts[3 * pair + result]!;
      return own;
    };
    return { items, a: pairs.a, b: pairs.b, winsB: of(0), ties: of(1), winsA: of(2) };
  };
  return { classOf, classes, countsOf };
}

const nobody = new Int32Array(0);

/**
 * What a vote of each class adds to a difference of log worths by one Newton step:
 * (x' H⁻¹ c) (y − p) / (1 − h), with leverage h = p (1 − p) x' H⁻¹ x.
 */
function newtonInfluence(counts: PairCounts, logWorth: Float64Array) {
  const { items, a, b } = counts;
  const { information } = derivatives(counts, logWorth);
  const isSolved = factorInPlace(information, items);
  const solved = (i: number, j: number): Float64Array => {
    const contrast = new Float64Array(items);
    contrast[i] = 1;
    contrast[j] = -1;
    if (isSolved) substitute(information, contrast, items);
    return contrast;
  };
  const spread = Float64Array.from(a, (left, pair) => {
    const x = solved(left, b[pair]!);
    return x[left]! - x[b[pair]!]!;
  });
  return (i: number, j: number): Float64Array => {
    const own = solved(i, j);
    const influence = new Float64Array(3 * a.length);
    for (let pair = 0; pair < a.length; pair++) {
      const left = a[pair]!;
      const right = b[pair]!;
      const p = 1 / (1 + Math.exp(logWorth[right]! - logWorth[left]!));
      const leverage = Math.min(0.99, p * (1 - p) * spread[pair]!);
      for (let result = 0; result < 3; result++)
        influence[3 * pair + result] =
          ((own[left]! - own[right]!) * (result / 2 - p)) / (1 - leverage);
    }
    return influence;
  };
}

export function bradleyTerryRule(
  votes: Votes,
  { bradley_terry: { ties } }: Conventions,
): Rule | null {
  const { classOf, classes, countsOf } = classedVotes(votes);
  const { items } = votes;
  let start: WorthFit | undefined;
  const values = (leftOut: ArrayLike<number>): Float64Array | null => {
    const counts = countsOf(leftOut);
    if (likelihoodClasses(counts).classes > 1) return null;
    const fit = fitWorths(counts, ties, start);
    if (!fit.converged) return null;
    start ??= fit;
    return fit.logWorth;
  };
  const logWorth = values(nobody);
  if (logWorth === null) return null;
  return {
    items,
    classOf,
    byClass: placesByValue(classOf, classes),
    // An iteration reads the pairs and solves for the items; there are about ten.
    work: 10 * (classes + items * items),
    values,
    influence: newtonInfluence(countsOf(nobody), logWorth),
  };
}

export interface Scores {
  readonly items: number;
  readonly item: Int32Array;
  readonly score: Float64Array;
}

function classesOfScores({ item, score }: Scores) {
  const scores = distinctOf(score);
  const size = scores.distinct.length;
  const { distinct, places } = distinctOf(
    score.map((_, vote) => item[vote]! * size + scores.places[vote]!),
  );
  const scoreOf = distinct.map((own) => scores.distinct[own % size]!);
  return {
    classOf: places,
    classes: distinct.length,
    scoreOf,
    itemOf: distinct.map((own) => Math.floor(own / size)),
  };
}

/** No values if an item has no score left. */
export function meanRule(scores: Scores): Rule {
  const { items } = scores;
  const { classOf, classes, scoreOf, itemOf } = classesOfScores(scores);
  const count = countsByClass(classOf, classes);
  const byClass = placesByValue(classOf, classes);
  const { from, places } = byClass;
  // Lowest score first.
  const sorted = Array.from({ length: items }, (_, i) =>
    places.subarray(from[itemOf.indexOf(i)], from[itemOf.lastIndexOf(i) + 1]),
  );
  const means = (leftOut: ArrayLike<number>) => {
    const counts = count(leftOut);
    const sum = new Float64Array(items);
    const n = new Float64Array(items);
    for (let own = 0; own < classes; own++) {
      sum[itemOf[own]!]! += counts[own]! * scoreOf[own]!;
      n[itemOf[own]!]! += counts[own]!;
    }
    return { mean: sum.map((own, i) => own / n[i]!), n };
  };
  /** Means of an item as its votes are left out one by one. */
  const without = (order: Int32Array): Float64Array => {
    const found = new Float64Array(order.length);
    let sum = 0;
    for (let left = order.length - 1; left >= 0; left--) {
      sum += scoreOf[classOf[order[left]!]!]!;
      found[left] = sum / (order.length - left);
    }
    return found;
  };
  const falling = remembered((item: number) => without(sorted[item]!.toReversed()));
  const rising = remembered((item: number) => without(sorted[item]!));
  return {
    items,
    classOf,
    byClass,
    work: classes,
    values(leftOut) {
      const { mean } = means(leftOut);
      return mean.some(Number.isNaN) ? null : mean;
    },
    fewestVotes(i, j, most) {
      // For each number of i's best votes the fewest of j's worst.
      const high = falling(i);
      const low = rising(j);
      let best = { x: 0, y: Infinity };
      let y = low.length;
      for (let x = 0; x < high.length && x <= most && x < best.x + best.y; x++) {
        while (y > 0 && isAbove(low[y - 1]!, high[x]!)) y--;
        if (y < low.length && x + y < best.x + best.y) best = { x, y };
      }
      if (best.y === Infinity) return null;
      const top = sorted[i]!.subarray(sorted[i]!.length - best.x);
      return Int32Array.from([...top, ...sorted[j]!.subarray(0, best.y)]);
    },
    influence(i, j) {
      const { mean, n } = means(nobody);
      return Float64Array.from(scoreOf, (own, at) => {
        const item = itemOf[at]!;
        if (item !== i && item !== j) return 0;
        return ((item === i ? 1 : -1) * (own - mean[item]!)) / Math.max(1, n[item]! - 1);
      });
    },
  };
}
