import type { Random } from "../../platform/index.js";
import type { PairCounts } from "../pairs/pair-counts.js";
import { pairIndex, type PairIndex, type RaterPairCounts } from "../pairs/rater-pair-counts.js";
import { drawOf, type Draw } from "./draw.js";
import type { TieModel, WorthFit } from "./model.js";

/** Fits to resampled raters. */
interface Draws {
  readonly draws: readonly Draw[];
  readonly tried: number;
}

/** Maximum work of all draws of a class, in additions: about a second. Beyond it, fewer are drawn. */
const workBound = 500_000_000;
const perEntry = 10;
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
  const pairs = pairIndex(counts);
  const draws: Draw[] = [];
  const affordable = Math.floor(workBound / (perEntry * counts.a.length + counts.items ** 3));
  const tried = counts.raters > 1 && affordable >= fewest ? Math.min(samples, affordable) : 0;
  const weight = new Float64Array(counts.raters);
  for (let draw = 0; draw < tried; draw++) {
    weight.fill(0);
    for (let r = 0; r < counts.raters; r++) {
      const drawn = Math.floor(random() * counts.raters);
      weight[drawn] = (weight[drawn] as number) + 1;
    }
    draws.push(drawOf(weigh(counts, pairs, weight), model, fit));
  }
  return { draws, tried };
}

/** Pair counts in which each rater counts `weight[rater]` times. */
export function weigh(counts: RaterPairCounts, { ofEntry, a, b }: PairIndex, weight: Float64Array): PairCounts {
  const winsA = new Float64Array(a.length);
  const winsB = new Float64Array(a.length);
  const ties = new Float64Array(a.length);
  for (let p = 0; p < ofEntry.length; p++) {
    const times = weight[counts.rater[p] as number] as number;
    if (times === 0) continue;
    const pair = ofEntry[p] as number;
    winsA[pair] = (winsA[pair] as number) + times * (counts.winsA[p] as number);
    winsB[pair] = (winsB[pair] as number) + times * (counts.winsB[p] as number);
    ties[pair] = (ties[pair] as number) + times * (counts.ties[p] as number);
  }
  return { items: counts.items, a, b, winsA, winsB, ties };
}
