import { bayesianElo } from "./bayesian-elo.js";
import { type ScoredPair, comparisonsOf, elo, percentChosen, tally } from "./comparisons.js";
import type { Convention } from "./convention.js";
import type { ScoredSlate } from "./population.js";
import { approvals, means, scoredItems, summary } from "./statistics.js";

/** One published row: the item under `stimulus`, then the fields of its kind. Null: not defined for so few ratings. */
export type PublishedRow = { stimulus: string } & Record<string, string | number | null>;

type RowsByItem = ReadonlyMap<string, Readonly<Record<string, number | null>>>;
type KindTable = (slates: readonly ScoredSlate[], dimension: string | null, convention: Convention) => RowsByItem;

const mapped = <V>(source: ReadonlyMap<string, V>, row: (value: V) => Record<string, number | null>): RowsByItem =>
  new Map([...source].map(([item, value]) => [item, row(value)]));

const ofPairs =
  (table: (comparisons: readonly ScoredPair[], convention: Convention) => RowsByItem): KindTable =>
  (slates, dimension, convention) => {
    const comparisons = comparisonsOf(slates, dimension, convention);
    return table(convention.order === "reversed" ? comparisons.reverse() : comparisons, convention);
  };

const tables = {
  bayesian_elo: ofPairs((comparisons, convention) => bayesianElo(comparisons, convention.bayesian_elo)),
  elo: ofPairs((comparisons, convention) => mapped(elo(comparisons, convention.elo), (value) => ({ value }))),
  mean: (slates, dimension, convention) =>
    mapped(means(scoredItems(slates, dimension, convention), convention), (own) => ({ ...own })),
  percent_approved: (slates, dimension, convention) =>
    mapped(approvals(scoredItems(slates, dimension, convention), convention), (own) => ({ ...own })),
  percent_chosen: ofPairs((comparisons, convention) =>
    mapped(tally(comparisons), (own) => percentChosen(own, convention)),
  ),
  stats: (slates, dimension, convention) =>
    mapped(scoredItems(slates, dimension, convention), (own) =>
      summary(
        own.map(({ score }) => score),
        convention,
      ),
    ),
  win_loss: ofPairs((comparisons) => mapped(tally(comparisons), (own) => ({ ...own }))),
} satisfies Record<string, KindTable>;

export type ScoredKind = keyof typeof tables;
export const kinds = Object.keys(tables) as ScoredKind[];

/** The published rows of one kind in one dimension, items in alphabetical order. */
export function score(
  kind: ScoredKind,
  dimension: string,
  slates: readonly ScoredSlate[],
  convention: Convention,
): PublishedRow[] {
  const counted = convention.dimension === "*" ? null : (convention.dimension ?? dimension);
  const rows = [...tables[kind](slates, counted, convention)];
  return rows.map(([stimulus, row]) => ({ stimulus, ...row })).sort((x, y) => (x.stimulus < y.stimulus ? -1 : 1));
}
