/** What the plots of a page show, from the models of the warehouse. */
import { firstOf, groupsOf, sumOf } from "../../platform/index.js";
import type { Warehouse } from "../../warehouse/index.js";
import { keyOfExperiment, itemIn, rowsBy, type OfItem } from "./rows.js";
import { pageLimits } from "./html.js";

/** Nothing for experiments of comparisons. */
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
