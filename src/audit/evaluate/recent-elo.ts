import { connectedComponents } from "../../metrics/components.js";
import type { EloConvention } from "../../metrics/conventions.js";
import { onlineElo } from "../../metrics/elo.js";
import type { PairCounts } from "../../metrics/pair-counts.js";
import type { Latest } from "./latest.js";

/** Two replays that end no further apart than this share of the scale have forgotten where they began. */
const forgotten = 2.5e-12;

export interface RecentElo {
  readonly rating: Float64Array;
  /** Comparisons played to find them. */
  readonly played: number;
}

/**
 * Online Elo from the last comparisons alone. Each comparison draws any two histories together (it averages their
 * difference over its two items as long as K·ln(base)/scale is below 4), so that ratings forget: a replay of the last m
 * comparisons ends where the whole one does once m is large enough. m is large enough when a replay from equal ratings
 * and one from scattered ratings end alike to 1e-12; where that takes half of all comparisons, all are played.
 * Scattered ratings sum to nothing in every component of `counts`, as every rating's distance from the start does.
 */
export function recentElo(latest: Latest, counts: PairCounts, convention: EloConvention): RecentElo {
  const total = counts.winsA.reduce((sum, _, p) => sum + (counts.winsA[p] as number) + (counts.winsB[p] as number) + (counts.ties[p] as number), 0);
  let played = 0;
  let wanted = enough(counts.items, convention);
  for (; wanted <= total / 2; wanted *= 2) {
    const comparisons = latest.last(wanted);
    const { rating } = onlineElo(counts.items, comparisons, convention);
    const other = onlineElo(counts.items, comparisons, convention, 0, wanted, scattered(counts, convention)).rating;
    played += 2 * wanted;
    if (rating.every((r, i) => Math.abs(r - (other[i] as number)) <= forgotten * convention.scale)) return { rating, played };
  }
  return { rating: onlineElo(counts.items, latest.last(total), convention).rating, played: played + total };
}

/** The ratings to less than a four-hundredth of the scale, by all experience (e^-11 of where they began), from few comparisons. */
export function roughElo(latest: Latest, items: number, convention: EloConvention): RecentElo {
  const comparisons = latest.last(Math.ceil(enough(items, convention) / 4));
  return { rating: onlineElo(items, comparisons, convention).rating, played: comparisons.a.length };
}

/** A guess: so many that a difference between two histories falls to e^-45 if every comparison is an even one. */
function enough(items: number, { k, base, scale }: EloConvention): number {
  const drawn = Math.min(1, (k * Math.log(base)) / scale / 5);
  return Math.ceil((items * 45) / 2 / drawn);
}

/** Ratings some hundred Elo around the start, the same ones each time. */
function scattered(counts: PairCounts, { start, scale }: EloConvention): Float64Array {
  const { component, components } = connectedComponents(counts.items, counts.a, counts.b);
  const offset = Float64Array.from({ length: counts.items }, (_, i) => scale * Math.cos(2.399963 * (i + 1))); // golden angle: no two alike
  const sum = new Float64Array(components);
  const size = new Float64Array(components);
  offset.forEach((o, i) => {
    const own = component[i] as number;
    sum[own] = (sum[own] as number) + o;
    size[own] = (size[own] as number) + 1;
  });
  return offset.map((o, i) => start + o - (sum[component[i] as number] as number) / (size[component[i] as number] as number));
}
