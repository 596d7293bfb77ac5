/** Bradley-Terry of resampled raters and comparisons. */
import type { Random } from "../../platform/index.js";
import { placesByValue } from "../numeric/arrays.js";
import { quantile } from "../numeric/statistics.js";
import {
  namelessOrders,
  type PairCounts,
  pairIndex,
  type RaterPairCounts,
} from "../pair-counts.js";
import { likelihoodClasses, membersOf } from "./classes.js";
import { fitWorths, stopOfDraw, type TieModel, type WorthFit } from "./model.js";
import { resampleWork } from "../limits.js";

interface Draws {
  readonly draws: readonly Draw[];
  readonly tried: number;
}

/** Cost of an entry, in additions. */
const perEntry = 4;
/** With fewer draws there is no interval. */
const fewestResamples = 20;

/** A draw where an item won or lost all counts as infinite; omitting it narrows intervals. */
export function resampleRaters(
  counts: RaterPairCounts,
  fit: WorthFit,
  model: TieModel,
  samples: number,
  random: Random,
): Draws {
  const drawn = drawable(counts);
  const draws: Draw[] = [];
  const affordable = Math.floor(resampleWork / (perEntry * counts.a.length + counts.items ** 3));
  const tried =
    counts.raters > 1 && affordable >= fewestResamples ? Math.min(samples, affordable) : 0;
  const weight = new Float64Array(counts.raters);
  const order = namelessOrders(counts)[1]!;
  for (let draw = 0; draw < tried; draw++) {
    weight.fill(0);
    for (let r = 0; r < counts.raters; r++)
      weight[order[Math.floor(random() * counts.raters)]!]! += 1;
    draws.push(drawOf(drawn(weight), model, fit));
  }
  return { draws, tried };
}

const comparisonDraws = { most: 1000, least: 200 };

/** Log worths by draw, ±∞ without a finite fit. None if comparisons are weighted or too many. */
export function resampleComparisons(
  counts: PairCounts,
  fit: WorthFit,
  model: TieModel,
  random: Random,
): Float64Array[] {
  const { items, a } = counts;
  const cells = [counts.winsA, counts.winsB, counts.ties].flatMap((own) => [...own]);
  const n = cells.reduce((sum, count) => sum + count, 0);
  const draws = Math.min(comparisonDraws.most, Math.floor(resampleWork / (n + items ** 3)));
  if (!cells.every(Number.isInteger) || draws < comparisonDraws.least) return [];
  const cellOf = new Int32Array(n);
  let end = 0;
  cells.forEach((count, cell) => cellOf.fill(cell, end, (end += count)));
  return Array.from({ length: draws }, () => {
    const sums = new Float64Array(cells.length);
    for (let i = 0; i < n; i++) sums[cellOf[Math.floor(random() * n)]!]! += 1;
    const of = (outcome: number) => sums.subarray(outcome * a.length, (outcome + 1) * a.length);
    const drawn = { ...counts, winsA: of(0), winsB: of(1), ties: of(2) };
    const { low, high } = drawOf(drawn, model, fit);
    return low.map((v, item) => (Number.isFinite(v) ? v : high[item]!));
  });
}

/** The counts of a draw, from the weight of each rater. */
export function drawable(counts: RaterPairCounts): (weight: Float64Array) => PairCounts {
  const { items, raters, rater } = counts;
  const { ofEntry, a, b } = pairIndex(counts);
  const outcomes = [counts.winsA, counts.winsB, counts.ties];
  const entries = placesByValue(rater, raters);
  const from = new Int32Array(raters + 1);
  const cells = new Int32Array(outcomes.length * rater.length);
  const numbers = new Float64Array(cells.length);
  let end = 0;
  for (let r = 0; r < raters; r++) {
    for (let i = entries.from[r]!; i < entries.from[r + 1]!; i++) {
      const entry = entries.places[i]!;
      for (let outcome = 0; outcome < outcomes.length; outcome++) {
        const n = outcomes[outcome]![entry]!;
        if (n === 0) continue;
        cells[end] = outcome * a.length + ofEntry[entry]!;
        numbers[end++] = n;
      }
    }
    from[r + 1] = end;
  }
  return (weight) => {
    const sums = new Float64Array(3 * a.length);
    for (let r = 0; r < raters; r++) {
      const times = weight[r]!;
      if (times === 0) continue;
      for (let i = from[r]!; i < from[r + 1]!; i++) {
        sums[cells[i]!]! += times * numbers[i]!;
      }
    }
    const of = (outcome: number): Float64Array =>
      sums.subarray(outcome * a.length, (outcome + 1) * a.length);
    return { items, a, b, winsA: of(0), winsB: of(1), ties: of(2) };
  };
}

/** By pair, over all raters. */
export function pooled(counts: RaterPairCounts): PairCounts {
  const { ofEntry, a, b } = pairIndex(counts);
  const sumOf = (column: Float64Array): Float64Array => {
    const sums = new Float64Array(a.length);
    for (let p = 0; p < column.length; p++) sums[ofEntry[p]!]! += column[p]!;
    return sums;
  };
  const { items, winsA, winsB, ties } = counts;
  return { items, a, b, winsA: sumOf(winsA), winsB: sumOf(winsB), ties: sumOf(ties) };
}

export interface Draw {
  readonly isFinite: boolean;
  readonly low: Float64Array;
  readonly high: Float64Array;
}

/**
 * Without a finite estimate, an item is infinitely above those that it reaches over wins and ties
 * and that do not reach it: +∞ above all others, -∞ below all, any other may be anywhere.
 */
export function drawOf(counts: PairCounts, model: TieModel, start: WorthFit): Draw {
  const { ofItem, classes } = likelihoodClasses(counts);
  if (classes > 1) return separated(counts, ofItem, classes);
  const { logWorth, converged } = fitWorths(counts, model, start, stopOfDraw(model));
  return converged
    ? { isFinite: true, low: logWorth, high: logWorth }
    : separated(counts, ofItem, classes);
}

function separated(counts: PairCounts, ofItem: Int32Array, classes: number): Draw {
  const { items } = counts;
  const members = membersOf(ofItem, classes);
  const reaches = reachability(counts, ofItem, classes);
  const size = (of: (other: number) => boolean): number =>
    members.reduce((sum, { length }, other) => sum + (of(other) ? length : 0), 0);
  const draw = {
    isFinite: false,
    low: new Float64Array(items).fill(-Infinity),
    high: new Float64Array(items).fill(Infinity),
  };
  members.forEach((own, at) => {
    const above = size((other) => other !== at && reaches[other]?.[at] === 1);
    const below = size((other) => other !== at && reaches[at]?.[other] === 1);
    own.forEach((item) => {
      if (below === items - own.length && below > 0) draw.low[item] = Infinity;
      if (above === items - own.length && above > 0) draw.high[item] = -Infinity;
    });
  });
  return draw;
}

/** `[above][below]` is 1 if wins and ties lead from one class to the other. */
function reachability(
  { a, b, winsA, winsB, ties }: PairCounts,
  ofItem: Int32Array,
  classes: number,
): Uint8Array[] {
  const next = Array.from({ length: classes }, () => new Set<number>());
  for (let p = 0; p < a.length; p++) {
    const left = ofItem[a[p]!]!;
    const right = ofItem[b[p]!]!;
    const tied = ties[p]! > 0;
    if (tied || winsA[p]! > 0) next[left]?.add(right);
    if (tied || winsB[p]! > 0) next[right]?.add(left);
  }
  return next.map((_, from) => {
    const reached = new Uint8Array(classes);
    const open = [from];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const other of next[at] ?? []) {
        if (reached[other] === 1) continue;
        reached[other] = 1;
        open.push(other);
      }
    }
    return reached;
  });
}

interface Intervals {
  readonly low: Float64Array;
  readonly high: Float64Array;
}

const lowerQuantile = 0.025;
const upperQuantile = 0.975;

/** NaN without draws and for an infinite end. */
export function summarise(items: number, draws: readonly Draw[]): Intervals {
  const over = new Float64Array(draws.length);
  const ends = (of: "low" | "high", p: number, round: (x: number) => number): Float64Array =>
    Float64Array.from({ length: items }, (_, item) => {
      for (let draw = 0; draw < over.length; draw++) over[draw] = draws[draw]![of][item]!;
      return outerQuantile(over.sort(), p, round);
    });
  return {
    low: ends("low", lowerQuantile, Math.floor),
    high: ends("high", upperQuantile, Math.ceil),
  };
}

/** Of a finite and an infinite neighbour, the one further out; NaN if that is infinite. */
function outerQuantile(sorted: Float64Array, p: number, outwards: (at: number) => number): number {
  const between = quantile(sorted, p);
  if (Number.isFinite(between) || sorted.length === 0) return between;
  const outer = sorted[outwards(p * (sorted.length - 1))]!;
  return Number.isFinite(outer) ? outer : NaN;
}
