import { factorInPlace, substitute } from "../cholesky.js";
import type { PairCounts } from "../pair-counts.js";
import { chances, derivatives, type WorthFit } from "./model.js";

/** Above so many items the matrices are not worth their time, and the errors are NaN. */
const mostItems = 1000;

/**
 * Sandwich standard errors of the centred log worths: H⁺ V H⁺ with V the sum, over comparisons, of
 * the outer products of their scores. They hold where the model's own variance does not, but take
 * comparisons as independent; raters who repeat need the resampled intervals.
 */
export function sandwichErrors(counts: PairCounts, fit: WorthFit): Float64Array {
  const { items } = counts;
  const hasTie = fit.logTie !== null;
  const size = items + Number(hasTie);
  if (items > mostItems) return new Float64Array(items).fill(NaN);
  const at = new Float64Array(size);
  at.set(fit.logWorth);
  if (fit.logTie !== null) at[items] = fit.logTie;
  const { information } = derivatives(counts, at, hasTie);
  const errors = new Float64Array(items).fill(NaN);
  if (!factorInPlace(information, size)) return errors;
  const meat = outerProducts(counts, fit, size);
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
    errors[item] = Math.sqrt(variance);
  }
  return errors;
}

function outerProducts(counts: PairCounts, { logWorth, logTie }: WorthFit, size: number): Float64Array {
  const { items, a, b, winsA, winsB, ties } = counts;
  const meat = new Float64Array(size * size);
  for (let p = 0; p < a.length; p++) {
    const [i, j] = [a[p] as number, b[p] as number];
    const [chanceA, , chanceTie] = chances(logWorth[i] as number, logWorth[j] as number, logTie);
    const mean = chanceA + chanceTie / 2;
    const outcomes = [
      [winsA[p], 1, 0],
      [winsB[p], 0, 0],
      [ties[p], 0.5, 1],
    ] as [number, number, number][];
    for (const [n, outcome, isTie] of outcomes) {
      const score = outcome - mean;
      const entries: [number, number][] = [[i, score], [j, -score]];
      if (size > items) entries.push([items, isTie - chanceTie]);
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
