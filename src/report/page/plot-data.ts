/** What the plots of a page show, from the models of the warehouse. */
import { firstOf, groupsOf, sumOf } from "../../platform/index.js";
import type { Warehouse } from "../../warehouse/index.js";
import { keyOfExperiment, itemIn, rowsBy, type OfItem } from "./rows.js";
import { pageLimits } from "./html.js";

interface HistoryRow extends OfItem {
  /** Some of the sessions, in service order (metrics.md, "Terms"). */
  readonly sessions: readonly number[];
  /** After each of them. Null before the item's first comparison. */
  readonly ratings: readonly (number | null)[];
}

/** Online Elo of the items after some of the sessions, best first. */
export interface SessionHistory {
  readonly dimension: string;
  readonly sessions: readonly number[];
  readonly items: readonly string[];
  /** `ratings[i][k]`: of item i after `sessions[k]`. */
  readonly ratings: readonly (readonly number[])[];
  /** Items that are left out. */
  readonly more: number;
}

/** @param start the rating before the first session */
export async function historiesOf(
  warehouse: Warehouse,
  ids: readonly string[],
  start: number,
): Promise<(id: string) => SessionHistory[]> {
  const own = await rowsBy<HistoryRow>(warehouse, "page/histories", ids, keyOfExperiment);
  return (id) =>
    [...groupsOf(own(id), ({ dimension }) => dimension)].map(([dimension, rows]) => {
      const { shown, more } = firstOf(rows, pageLimits.lines);
      return {
        dimension,
        sessions: [0, ...rows[0].sessions],
        items: shown.map(({ item }) => item),
        ratings: shown.map(({ ratings }) => [start, ...ratings.map((rating) => rating ?? start)]),
        more,
      };
    });
}

/** What one item has won of another. */
interface PairRow extends OfItem {
  readonly opponent: string;
  readonly n: number;
  readonly win_pct: number;
  /** Of all its comparisons. */
  readonly share: number;
}

export interface PairTable {
  readonly dimension: string;
  readonly items: readonly string[];
  /** `pairs[i][j]`: what item i has won of item j; undefined if they were not compared. */
  readonly pairs: readonly (readonly (PairRow | undefined)[])[];
  /** Items that are left out. */
  readonly more: number;
}

/**
 * The win matrices of experiments, items in the order of the ranking, the others by their share
 * won.
 */
export async function pairTablesOf(
  warehouse: Warehouse,
  ids: readonly string[],
  orderOf: (id: string, dimension: string) => readonly string[],
): Promise<(id: string) => PairTable[]> {
  const own = await rowsBy<PairRow>(warehouse, "page/pairs", ids, keyOfExperiment);
  return (id) =>
    [...groupsOf(own(id), ({ dimension }) => dimension)].map(([dimension, rows]) => {
      const order = new Map(orderOf(id, dimension).map((item, i) => [item, i]));
      const ofItem = groupsOf(rows, ({ item }) => item);
      const sorted = [...ofItem].sort(
        ([a, [x]], [b, [y]]) =>
          (order.get(a) ?? order.size) - (order.get(b) ?? order.size) || y.share - x.share,
      );
      const { shown, more } = firstOf(sorted, pageLimits.pairedItems);
      const items = shown.map(([item]) => item);
      const pairs = shown.map(([, won]) => {
        const against = new Map(won.map((pair) => [pair.opponent, pair]));
        return items.map((opponent) => against.get(opponent));
      });
      return { dimension, items, pairs, more };
    });
}

/** How the scores of experiments are distributed; nothing for those of comparisons. */
export async function scoreTablesOf(
  warehouse: Warehouse,
  ids: readonly string[],
): Promise<(id: string) => ScoreTable[]> {
  const counts = await rowsBy<ScoreRow>(warehouse, "page/scores", ids, keyOfExperiment);
  const means = await rowsBy<Mean & OfItem>(warehouse, "page/means", ids, itemIn);
  return (id) =>
    [...groupsOf(counts(id), ({ dimension }) => dimension)].map(([dimension, rows]) =>
      scoreTableOf(rows, dimension, (row) => means(itemIn(row))[0] ?? noMean),
    );
}

interface ScoreRow extends OfItem {
  readonly score: number;
  readonly n: number;
}

interface Mean {
  readonly mean: number | null;
  readonly clustered_ci_low: number | null;
  readonly clustered_ci_high: number | null;
}

const noMean: Mean = { mean: null, clustered_ci_low: null, clustered_ci_high: null };

/** How often each item was given each score, or a score of each bin. */
export interface ScoreTable {
  readonly dimension: string;
  /** Distinct scores (`width` 0), or the lower ends of equal bins. */
  readonly scores: readonly number[];
  readonly width: number;
  readonly items: readonly ScoredItem[];
  /** Items that are left out. */
  readonly more: number;
}

interface ScoredItem extends Mean {
  readonly item: string;
  readonly counts: readonly number[];
  readonly n: number;
}

function scoreTableOf(
  rows: readonly ScoreRow[],
  dimension: string,
  meanOf: (row: ScoreRow) => Mean,
): ScoreTable {
  const { scores, width, binOf } = binsOf(
    [...new Set(rows.map(({ score }) => score))].sort((a, b) => a - b),
  );
  const items = [...groupsOf(rows, ({ item }) => item)].map(([item, own]): ScoredItem => {
    const counts = scores.map(() => 0);
    for (const { score, n } of own) counts[binOf(score)] = (counts[binOf(score)] ?? 0) + n;
    return { ...meanOf(own[0]), item, counts, n: sumOf(counts) };
  });
  const sorted = items.toSorted((a, b) => (b.mean ?? -Infinity) - (a.mean ?? -Infinity));
  const { shown, more } = firstOf(sorted, pageLimits.items);
  return { dimension, scores, width, items: shown, more };
}

/** Distinct scores as they are, many of them in equal bins. */
function binsOf(distinct: readonly number[]) {
  if (distinct.length <= 11)
    return { scores: distinct, width: 0, binOf: (score: number) => distinct.indexOf(score) };
  const [low, high] = [distinct[0] ?? 0, distinct.at(-1) ?? 0];
  const width = (high - low) / pageLimits.scores;
  const scores = Array.from({ length: pageLimits.scores }, (_, i) => low + i * width);
  return {
    scores,
    width,
    binOf: (score: number) => Math.min(pageLimits.scores - 1, Math.floor((score - low) / width)),
  };
}
