import type { Random } from "../../platform/index.js";
import { addTo } from "../numeric/arrays.js";
import type { PairCounts } from "../pairs/pair-counts.js";
import { pairIndex, type RaterPairCounts } from "../pairs/rater-pair-counts.js";
import { drawOf, type Draw } from "./draw.js";
import type { TieModel, WorthFit } from "./model.js";

/** Fits to resampled raters. */
interface Draws {
  readonly draws: readonly Draw[];
  readonly tried: number;
}

/** Maximum work of all draws of a class, in additions: about a second. Beyond it, fewer are drawn. */
const workBound = 500_000_000;
/** An entry takes 2 to 4 ns, an addition 1 to 2. */
const perEntry = 4;
/** Minimum number of draws for an interval. */
const fewest = 20;

/**
 * Draws as many raters as there are, with replacement, and fits again, `samples` times. A draw in which some item won
 * or lost everything has no finite estimate and counts as infinite, because leaving it out would narrow the intervals.
 */
export function resampleRaters(
  counts: RaterPairCounts,
  fit: WorthFit,
  model: TieModel,
  samples: number,
  random: Random,
): Draws {
  const drawn = drawable(counts);
  const draws: Draw[] = [];
  const affordable = Math.floor(workBound / (perEntry * counts.a.length + counts.items ** 3));
  const tried = counts.raters > 1 && affordable >= fewest ? Math.min(samples, affordable) : 0;
  const weight = new Float64Array(counts.raters);
  for (let draw = 0; draw < tried; draw++) {
    weight.fill(0);
    for (let r = 0; r < counts.raters; r++) addTo(weight, Math.floor(random() * counts.raters), 1);
    draws.push(drawOf(drawn(weight), model, fit));
  }
  return { draws, tried };
}

/**
 * The pair counts of any draw of raters. Each rater's counts are a list of (pair and outcome, count), without zeros: a
 * draw reads only the lists of the raters that it drew, which takes a third of the time of adding up all entries.
 */
export function drawable(counts: RaterPairCounts): (weight: Float64Array) => PairCounts {
  const { items, raters, rater } = counts;
  const { ofEntry, a, b } = pairIndex(counts);
  const outcomes = [counts.winsA, counts.winsB, counts.ties];
  const end = new Int32Array(raters + 1);
  const eachCount = (visit: (who: number, cell: number, n: number) => void): void => {
    outcomes.forEach((of, outcome) => {
      for (let p = 0; p < of.length; p++) {
        if (of[p] !== 0) visit(rater[p] as number, outcome * a.length + (ofEntry[p] as number), of[p] as number);
      }
    });
  };
  eachCount((who) => (end[who + 1] = (end[who + 1] as number) + 1));
  for (let r = 0; r < raters; r++) end[r + 1] = (end[r + 1] as number) + (end[r] as number);
  const from = end.slice();
  const cells = new Int32Array(end[raters] as number);
  const numbers = new Float64Array(cells.length);
  eachCount((who, cell, n) => {
    const at = from[who] as number;
    from[who] = at + 1;
    cells[at] = cell;
    numbers[at] = n;
  });
  return (weight) => {
    const sums = new Float64Array(3 * a.length);
    for (let r = 0; r < raters; r++) {
      const times = weight[r] as number;
      if (times === 0) continue;
      for (let i = end[r] as number; i < (end[r + 1] as number); i++) {
        const cell = cells[i] as number; // not addTo: here it takes half as long again
        sums[cell] = (sums[cell] as number) + times * (numbers[i] as number);
      }
    }
    const of = (outcome: number): Float64Array => sums.subarray(outcome * a.length, (outcome + 1) * a.length);
    return { items, a, b, winsA: of(0), winsB: of(1), ties: of(2) };
  };
}

/** The counts of each pair over all raters. */
export function pooled(counts: RaterPairCounts): PairCounts {
  const { ofEntry, a, b } = pairIndex(counts);
  const sumOf = (column: Float64Array): Float64Array => {
    const sums = new Float64Array(a.length);
    for (let p = 0; p < column.length; p++) addTo(sums, ofEntry[p] as number, column[p] as number);
    return sums;
  };
  const { items, winsA, winsB, ties } = counts;
  return { items, a, b, winsA: sumOf(winsA), winsB: sumOf(winsB), ties: sumOf(ties) };
}
