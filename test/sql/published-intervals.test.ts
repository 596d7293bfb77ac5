/** Intervals that the audit computes where they are published, against the models that hold such intervals for other uses. */
import { expect, test } from "vitest";
import { createEvaluator } from "../../src/audit/recompute/evaluator.js";
import { patched } from "../../src/audit/recompute/scenario.js";
import { loadRatings } from "../../src/audit/recompute/ratings.js";
import type { Kind } from "../../src/metrics/index.js";
import { textOf, type Warehouse } from "../../src/warehouse/index.js";
import { own } from "../support/audit/synthetic-ratings.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import { everyNth } from "../support/whole.js";

async function compared(
  file: string,
  kind: Kind,
  sql: string,
  field: string,
  form: string | null,
): Promise<[number, number][]> {
  const warehouse: Warehouse = await loadCase(`${file}.json`);
  try {
    await recomputeBehind(warehouse, ["audit_ratings", ...(sql.match(/(?<=from )\w+/g) ?? [])]);
    const rows = await warehouse.all(sql);
    const experiment = textOf(rows[0]!, "experiment_id");
    const evaluator = createEvaluator(await loadRatings(warehouse, experiment));
    const scenario = {
      ...own,
      population: { ...own.population, dimension: textOf(rows[0]!, "dimension") },
    };
    const { items, columns } = evaluator.table(
      kind,
      form === null ? scenario : patched(scenario, { form }),
    );
    return rows
      .filter((row) => row.experiment_id === experiment && row.dimension === rows[0]!.dimension)
      .map((row) => [columns[field]![items.indexOf(textOf(row, "item"))]!, Number(row.wanted)]);
  } finally {
    warehouse.close();
  }
}

const normal = 1.959963984540054;
const of = (model: string, wanted: string): string =>
  `select experiment_id, dimension, item, ${wanted} as wanted from ${model} where source = '' order by all`;

const intervals = [
  ["acr", "stats", "half_width", null, of("metric_stats", "ci_high - mean")],
  ["acr", "mean", "half_width", null, of("metric_stats", "ci_high - mean")],
  ["acr", "mean", "ci_low", "clustered", of("metric_stats_clustered", "clustered_ci_low")],
  [
    "codec-preference",
    "bradley_terry",
    "half_width",
    null,
    of("metric_bradley_terry", `${normal} * std_error`),
  ],
  [
    "codec-preference",
    "bradley_terry",
    "half_width",
    "clustered",
    of("metric_bradley_terry", `${normal} * clustered_std_error`),
  ],
] as const;
test.each(everyNth(intervals, 3))(
  "%s: %s %s (%s) is that of the model",
  async (file, kind, field, form, sql) => {
    const pairs = await compared(file, kind, sql, field, form);
    expect(pairs.length).toBeGreaterThan(2);
    // The order of sums differs; quantiles are the same function.
    for (const [found, wanted] of pairs)
      expect(Math.abs(found - wanted)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(wanted)));
  },
);

test("both ends of Wilson's interval are as far from the share as z of their own standard errors", async () => {
  const warehouse = await loadCase("approval.json");
  try {
    await recomputeBehind(warehouse, ["audit_ratings", "stg_experiments"]);
    const [experiment] = await warehouse.all(
      "select experiment_id from stg_experiments order by all",
    );
    const evaluator = createEvaluator(
      await loadRatings(warehouse, textOf(experiment!, "experiment_id")),
    );
    const { columns } = evaluator.table("percent_approved", own);
    columns.value!.forEach((value, i) => {
      for (const field of ["ci_low", "ci_high"]) {
        const end = columns[field]![i]! / 100;
        const distance = Math.abs(end - value / 100);
        expect(distance).toBeCloseTo(normal * Math.sqrt((end * (1 - end)) / columns.n![i]!), 10);
      }
    });
    expect(columns.value!.length).toBeGreaterThan(1);
  } finally {
    warehouse.close();
  }
});
