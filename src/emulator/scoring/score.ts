import { bayesianElo } from "./bayesian-elo.js";
import { comparisonsOf, elo, itemNamer, percentApproved, percentChosen, scoredItems, tally } from "./comparisons.js";
import type { Convention } from "./convention.js";
import type { ScoredSlate, ScoreRow } from "./population.js";
import { means, summary } from "./statistics.js";

export const kinds = [
  "bayesian_elo",
  "elo",
  "mean",
  "percent_approved",
  "percent_chosen",
  "stats",
  "win_loss",
] as const;
export type ScoredKind = (typeof kinds)[number];

/** The published rows of one kind in one dimension, items in alphabetical order. */
export function score(
  kind: ScoredKind,
  dimension: string,
  slates: readonly ScoredSlate[],
  convention: Convention,
): ScoreRow[] {
  const rows = tables[kind](slates, dimension, convention);
  return [...rows].map(([stimulus, row]) => ({ stimulus, ...row })).sort((x, y) => (x.stimulus < y.stimulus ? -1 : 1));
}

type RowsByItem = Map<string, Record<string, number | null>>;
type ScoreFunction = (slates: readonly ScoredSlate[], dimension: string, convention: Convention) => RowsByItem;

const mapped = <V>(source: Map<string, V>, row: (value: V) => Record<string, number | null>): RowsByItem =>
  new Map([...source].map(([item, value]) => [item, row(value)]));

/** The dimension whose ratings are counted for the published one; null: all together. */
const counted = (named: string, { dimension }: Convention): string | null =>
  dimension === "*" ? null : (dimension ?? named);

const pairwise =
  (table: (comparisons: ReturnType<typeof comparisonsOf>, convention: Convention) => RowsByItem): ScoreFunction =>
  (slates, dimension, convention) => {
    const comparisons = comparisonsOf(slates, counted(dimension, convention), itemNamer(convention), convention.pairs);
    return table(convention.order === "reversed" ? comparisons.reverse() : comparisons, convention);
  };

const scored =
  (table: (items: ReturnType<typeof scoredItems>, convention: Convention) => RowsByItem): ScoreFunction =>
  (slates, dimension, convention) =>
    table(scoredItems(slates, counted(dimension, convention), itemNamer(convention)), convention);

const tables: Record<ScoredKind, ScoreFunction> = {
  win_loss: pairwise((comparisons) => mapped(tally(comparisons), (own) => ({ ...own }))),
  percent_chosen: pairwise((comparisons, convention) =>
    mapped(tally(comparisons), (own) => percentChosen(own, convention)),
  ),
  elo: pairwise((comparisons, convention) => mapped(elo(comparisons, convention.elo), (value) => ({ value }))),
  bayesian_elo: pairwise((comparisons, convention) => bayesianElo(comparisons, convention.bayesian_elo).rows),
  mean: scored((items, convention) => mapped(means(items, convention), (own) => ({ ...own }))),
  stats: scored((items, convention) =>
    mapped(items, (own) =>
      summary(
        own.map((rating) => rating.score),
        convention,
      ),
    ),
  ),
  percent_approved: scored((items, convention) => {
    let [low, high] = [Infinity, -Infinity];
    for (const own of items.values())
      for (const { score } of own) [low, high] = [Math.min(low, score), Math.max(high, score)];
    return mapped(items, (own) =>
      percentApproved(
        own.map((rating) => rating.score),
        (low + high) / 2,
        convention,
      ),
    );
  }),
};
