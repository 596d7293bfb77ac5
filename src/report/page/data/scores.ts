import { textOf, type Row, type Warehouse } from "../../../warehouse/index.js";
import { limits } from "../limits.js";
import type { ScoreTable } from "./report-data.js";
import { among, byId, capped, dimensionsOf, grouped, numberOf } from "./rows.js";

/** How the scores of each experiment among `ids` are distributed; nothing for experiments of comparisons. */
export async function scoreTablesOf(
  warehouse: Warehouse,
  ids: readonly string[],
): Promise<(experiment: string) => readonly ScoreTable[]> {
  const counts = await warehouse.all(
    `select experiment_id, dimension, item, score, n from int_score_counts
     where source = '' and item is not null and ${among(ids)}
       and experiment_id not in (select experiment_id from int_groups) order by all`,
  );
  const means = await warehouse.all(
    `select experiment_id, dimension, item, mean, clustered_ci_low, clustered_ci_high
     from metric_stats_clustered where source = '' and ${among(ids)}`,
  );
  const [own, ownMeans] = [byId(counts), byId(means)];
  return (id) => dimensionsOf(own(id)).map((dimension) => tableOf(own(id), ownMeans(id), dimension));
}

function tableOf(all: readonly Row[], allMeans: readonly Row[], dimension: string): ScoreTable {
  const rows = all.filter((row) => textOf(row, "dimension") === dimension);
  const means = grouped(
    allMeans.filter((row) => textOf(row, "dimension") === dimension),
    (row) => textOf(row, "item"),
  );
  const { scores, width, binOf } = binsOf([...new Set(rows.map((row) => Number(row.score)))].sort((a, b) => a - b));
  const ofItem = grouped(rows, (row) => textOf(row, "item"));
  const items = [...new Set(rows.map((row) => textOf(row, "item")))].map((item) => {
    const binned = scores.map(() => 0);
    for (const row of ofItem(item)) {
      const bin = binOf(Number(row.score));
      binned[bin] = (binned[bin] ?? 0) + Number(row.n);
    }
    const [mean] = means(item);
    return {
      ...{ item, counts: binned },
      n: binned.reduce((sum, n) => sum + n, 0),
      mean: numberOf(mean, "mean"),
      low: numberOf(mean, "clustered_ci_low"),
      high: numberOf(mean, "clustered_ci_high"),
    };
  });
  const { shown, more } = capped(
    items.toSorted((a, b) => (b.mean ?? -Infinity) - (a.mean ?? -Infinity)),
    limits.items,
  );
  return { dimension, scores, width, items: shown, more };
}

/** Distinct scores as they are, many of them in equal bins. */
function binsOf(distinct: readonly number[]) {
  if (distinct.length <= 11) return { scores: distinct, width: 0, binOf: (score: number) => distinct.indexOf(score) };
  const [low, high] = [distinct[0] ?? 0, distinct.at(-1) ?? 0];
  const width = (high - low) / limits.scores;
  const scores = Array.from({ length: limits.scores }, (_, i) => low + i * width);
  return { scores, width, binOf: (score: number) => Math.min(limits.scores - 1, Math.floor((score - low) / width)) };
}
