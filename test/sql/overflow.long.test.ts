import { afterAll, beforeAll, expect, test } from "vitest";
import type { ConventionsInput } from "../../src/metrics/conventions.js";
import { openWarehouse, type Row, type Warehouse } from "../../src/warehouse/index.js";
import { recomputeBehind } from "../support/load-case.js";

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openWarehouse({ sources: {} });
  await warehouse.all(`
    create table own as select 'e' as experiment_id, 'j' as job_id, '' as dimension, 1 as stimulus_id, 'd1' as session_id,
      cast(null as json) as meta, cast(null as boolean) as is_correct, cast(null as varchar) as _meta, false as is_training, *
    from (values (1, 1, 'same', 1e308), (2, 1, 'same', 1e308), (3, 1, 'opposite', 1e308), (4, 1, 'opposite', -1e308),
      (5, 2, 'small', 1.0), (6, 2, 'small', 2.0)) as t (slate_id, rater_id, stimulus, score);
    create or replace view ratings as from own;
    create or replace view sessions as select 'e' as experiment_id, 'd1' as id, 'j' as job_id, cast('{}' as json) as rater,
      timestamptz '2026-01-01' as date_created, timestamptz '2026-01-01' as date_updated,
      timestamptz '2026-01-01' as date_completed, 'e' as reported_experiment_id, null::varchar as _meta`);
});
afterAll(() => warehouse.close());

async function rows(table: string): Promise<Row[]> {
  return warehouse.all(
    `select * exclude (experiment_id, dimension, source) from ${table} where source = '' order by item`,
  );
}

test.each<ConventionsInput>([
  { mean: "mean" },
  { mean: "median" },
  { mean: "rater_mean" },
  { mean: "rater_z" },
  { mean: "rater_z_n" },
  { mean: "rater_minmax" },
  { stats: { sd: "n" } },
  { stats: { interval: "bootstrap" } },
  { denominator: "n-1" },
])("scores too large for a sum give null, never an infinity: %j", async (input) => {
  const tables = ["metric_mean", "metric_stats", "metric_stats_clustered"];
  await recomputeBehind(warehouse, tables, input);
  const numbers = (await Promise.all(tables.map(rows))).flat().flatMap(Object.values);
  const small = numbers.filter((value) => typeof value === "number");
  expect(small.every(Number.isFinite)).toBe(true);
  expect(small.length).toBeGreaterThan(20);
  expect(numbers).toContain(null);
});

test("what can be computed of large scores is, and the data check names the items", async () => {
  await recomputeBehind(warehouse, ["metric_mean", "metric_stats", "assert_sums_finite"]);
  const mean = await rows("metric_mean");
  expect(mean.map(({ value }) => value)).toEqual([0, null, 1.5]);
  const stats = await rows("metric_stats");
  expect(stats.map(({ n, std, min, max }) => [n, std, min, max])).toEqual([
    [2, null, -1e308, 1e308],
    [2, null, 1e308, 1e308],
    [2, Math.SQRT1_2, 1, 2],
  ]);
  expect(
    (await warehouse.all("select distinct item from assert_sums_finite order by item")).map(
      (r) => r.item,
    ),
  ).toEqual(["opposite", "same"]);
  await recomputeBehind(warehouse, ["metric_percent_approved"], { approved: "midpoint" });
  const approved = await rows("metric_percent_approved");
  expect(approved.map(({ value }) => value)).toEqual([50, 100, 100]);
});
