import { factorInPlace, substitute } from "../numeric/cholesky.js";
import type { PairCounts } from "../pairs/pair-counts.js";
import type { RaterPairCounts } from "../pairs/rater-pair-counts.js";
import { clusteredVariance } from "./clustered.js";
import { derivatives, pairState } from "./derivatives.js";
import type { WorthFit } from "./model.js";

/** With more items the matrices cost too much, and the errors are NaN. */
const mostItems = 1000;

/** Standard errors, one per item; NaN if there is none. */
export interface Errors {
  /** As if comparisons were independent. */
  readonly plain: Float64Array;
  /** As if raters were independent, and a rater's comparisons were not. */
  readonly clustered: Float64Array;
}

/** A variance below this share of the model's own is zero but for rounding, and no estimate: the item only tied. */
const zeroShare = 1e-12;

/**
 * Sandwich standard errors of the centred log worths: H⁺ V H⁺ with V the sum, over comparisons or over raters, of the
 * outer products of their scores. They are valid even if the model's own variance is not. `pooled` has the same
 * comparisons as `counts`, without raters.
 */
export function sandwichErrors(pooled: PairCounts, counts: RaterPairCounts, fit: WorthFit): Errors {
  const { items } = pooled;
  const errors = { plain: new Float64Array(items).fill(NaN), clustered: new Float64Array(items).fill(NaN) };
  if (items > mostItems) return errors;
  const at = Float64Array.from([...fit.logWorth, ...fit.tie]);
  const size = at.length;
  const { information } = derivatives(pooled, at);
  if (!factorInPlace(information, size)) return errors;
  const meat = outerProducts(pooled, at);
  const clustered = clusteredVariance(counts, at);
  for (let item = 0; item < items; item++) {
    const row = new Float64Array(size);
    row[item] = 1;
    substitute(information, row, size);
    let variance = 0;
    for (let i = 0; i < size; i++) {
      for (let j = 0; j < size; j++) {
        variance += (row[i] as number) * (meat[i * size + j] as number) * (row[j] as number);
      }
    }
    const least = zeroShare * (row[item] as number);
    const rootOf = (v: number): number => (v > least ? Math.sqrt(v) : NaN);
    errors.plain[item] = rootOf(variance);
    errors.clustered[item] = rootOf(clustered(item, row));
  }
  return errors;
}

function outerProducts({ items, a, b, winsA, winsB, ties }: PairCounts, at: Float64Array): Float64Array {
  const size = at.length;
  const hasTie = size > items;
  const meat = new Float64Array(size * size);
  for (let p = 0; p < a.length; p++) {
    const [i, j] = [a[p] as number, b[p] as number];
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
          meat[cell] = (meat[cell] as number) + n * left * right;
        }
      }
    }
  }
  return meat;
}
