/** Sandwich errors of log worths. */
import { placesByValue } from "../numeric/arrays.js";
import { factorInPlace, substitute } from "../numeric/solvers.js";
import type { PairCounts, RaterPairCounts } from "../pair-counts.js";
import { derivatives, pairState } from "./derivatives.js";
import type { WorthFit } from "./model.js";
import { zeroShare, mostItemsWithErrors } from "../limits.js";

/** By item; NaN if there is none. */
export interface Errors {
  /** Valid if comparisons are independent. */
  readonly plain: Float64Array;
  /** Valid if raters are independent, however alike a rater's answers are. */
  readonly clustered: Float64Array;
}

/**
 * Sandwich errors of centred log worths: H⁺ V H⁺, V the sum over comparisons or raters of outer
 * products of scores. `pooled`: `counts` without raters; null: none are clustered. `squares`: the
 * same with squared weights, since a comparison is one, whatever its weight.
 */
export function sandwichErrors(
  pooled: PairCounts,
  counts: RaterPairCounts | null,
  fit: WorthFit,
  squares = pooled,
): Errors {
  const { items } = pooled;
  const errors = {
    plain: new Float64Array(items).fill(NaN),
    clustered: new Float64Array(items).fill(NaN),
  };
  if (items > mostItemsWithErrors) return errors;
  const at = Float64Array.from([...fit.logWorth, ...fit.tie]);
  const size = at.length;
  const { information } = derivatives(pooled, at);
  if (!factorInPlace(information, size)) return errors;
  const meat = outerProducts(squares, at);
  const clustered = counts && clusteredVariance(counts, at);
  for (let item = 0; item < items; item++) {
    const row = new Float64Array(size);
    row[item] = 1;
    substitute(information, row, size);
    let variance = 0;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        variance += row[i]! * meat[i * size + j]! * row[j]!;
      }
    }
    // Below it the item only tied.
    const least = zeroShare * row[item]!;
    const rootOf = (v: number): number => (v > least ? Math.sqrt(v) : NaN);
    errors.plain[item] = rootOf(variance);
    if (clustered) errors.clustered[item] = rootOf(clustered(item, row));
  }
  return errors;
}

function outerProducts(
  { items, a, b, winsA, winsB, ties }: PairCounts,
  at: Float64Array,
): Float64Array {
  const size = at.length;
  const hasTie = size > items;
  const meat = new Float64Array(size * size);
  for (let p = 0; p < a.length; p++) {
    const i = a[p]!;
    const j = b[p]!;
    const { win, tie, slope, tieSlopes } = pairState(at, items, i, j);
    const outcomes = [
      [winsA[p], 1 - win, -tie],
      [winsB[p], -win, -tie],
      [ties[p], hasTie ? 0 : 0.5 - win, 1 - tie],
    ] as [n: number, decided: number, surplus: number][];
    for (const [n, decided, surplus] of outcomes) {
      const score = decided + surplus * slope;
      const entries: [number, number][] = [
        [i, score],
        [j, -score],
        ...tieSlopes.map((own, k): [number, number] => [items + k, surplus * own]),
      ];
      for (const [row, left] of entries) {
        for (const [column, right] of entries) {
          const cell = row * size + column;
          meat[cell]! += n * left * right;
        }
      }
    }
  }
  return meat;
}

/** NaN if fewer than two raters compared the item. */
type VarianceOf = (item: number, row: Float64Array) => number;

/** A rater's score is the sum of its own; times G / (G - 1), G raters (Liang and Zeger 1986). */
function clusteredVariance(counts: RaterPairCounts, at: Float64Array): VarianceOf {
  const compared = new Set(counts.rater).size;
  const several = severalRaters(counts);
  const sums = scoresByRater(counts, at);
  return (item, row) => {
    if (several[item] === 0) return NaN;
    let total = 0;
    for (let r = 0; r < counts.raters; r++) {
      let score = 0;
      for (let i = sums.from[r]!; i < sums.from[r + 1]!; i++)
        score += sums.sum[i]! * row[sums.parameter[i]!]!;
      total += score * score;
    }
    return (total * compared) / (compared - 1);
  };
}

/** Row-major, without the factor G / (G - 1); null if the information has no inverse. */
export function clusteredCovariance(
  pooled: PairCounts,
  counts: RaterPairCounts,
  fit: WorthFit,
): Float64Array | null {
  const { items } = pooled;
  const at = Float64Array.from([...fit.logWorth, ...fit.tie]);
  const size = at.length;
  const { information } = derivatives(pooled, at);
  if (!factorInPlace(information, size)) return null;
  const { from, parameter, sum } = scoresByRater(counts, at);
  const covariance = new Float64Array(items * items);
  const move = new Float64Array(size);
  for (let r = 0; r < counts.raters; r++) {
    move.fill(0);
    for (let i = from[r]!; i < from[r + 1]!; i++) move[parameter[i]!] = sum[i]!;
    substitute(information, move, size);
    for (let i = 0; i < items; i++)
      for (let j = 0; j < items; j++) covariance[i * items + j]! += move[i]! * move[j]!;
  }
  return covariance;
}

interface SumsByRater {
  readonly from: Int32Array;
  readonly parameter: Int32Array;
  readonly sum: Float64Array;
}

function scoresByRater(counts: RaterPairCounts, at: Float64Array): SumsByRater {
  const { items, a, b, winsA, winsB, ties } = counts;
  const hasTie = at.length > items;
  const worth = new Float64Array(a.length);
  const tieScores = Array.from({ length: at.length - items }, () => new Float64Array(a.length));
  for (let p = 0; p < a.length; p++) {
    const { win, tie, slope, tieSlopes } = pairState(at, items, a[p]!, b[p]!);
    const won = winsA[p]!;
    const lost = winsB[p]!;
    const tied = ties[p]!;
    const surplus = tied - (won + lost + tied) * tie;
    const decided = won * (1 - win) - lost * win + (hasTie ? 0 : tied * (0.5 - win));
    worth[p] = decided + (hasTie ? surplus * slope : 0);
    tieSlopes.forEach((own, k) => ((tieScores[k] as Float64Array)[p] = surplus * own));
  }
  return sumsByRater(counts, at.length, worth, tieScores);
}

function sumsByRater(
  { items, raters, a, b, rater }: RaterPairCounts,
  size: number,
  worth: Float64Array,
  tieScores: readonly Float64Array[],
): SumsByRater {
  const from = new Int32Array(raters + 1);
  const parameters: number[] = [];
  const sums: number[] = [];
  const sum = new Float64Array(size);
  const isOpen = new Uint8Array(size);
  const open: number[] = [];
  const add = (parameter: number, score: number): void => {
    if (isOpen[parameter] === 0) {
      isOpen[parameter] = 1;
      open.push(parameter);
    }
    sum[parameter]! += score;
  };
  const own = placesByValue(rater, raters);
  for (let r = 0; r < raters; r++) {
    for (const p of own.places.subarray(own.from[r], own.from[r + 1])) {
      add(a[p]!, worth[p]!);
      add(b[p]!, -worth[p]!);
      for (let k = 0; k < tieScores.length; k++) add(items + k, tieScores[k]![p]!);
    }
    for (const parameter of open) {
      parameters.push(parameter);
      sums.push(sum[parameter]!);
      sum[parameter] = isOpen[parameter] = 0;
    }
    open.length = 0;
    from[r + 1] = sums.length;
  }
  return { from, parameter: Int32Array.from(parameters), sum: Float64Array.from(sums) };
}

/** By item: 1 if two or more raters compared it. */
export function severalRaters({ items, a, b, rater }: RaterPairCounts): Uint8Array {
  const first = new Int32Array(items).fill(-1);
  const several = new Uint8Array(items);
  for (let p = 0; p < a.length; p++) {
    for (const item of [a[p]!, b[p]!]) {
      if (first[item] === -1) first[item] = rater[p]!;
      else if (first[item] !== rater[p]) several[item] = 1;
    }
  }
  return several;
}
