import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tQuantile } from "../../src/metrics/numeric/statistics.js";
import { type Row, type Warehouse } from "../../src/warehouse/index.js";
import { goldenDir, loadCase, recomputeBehind } from "../support/load-case.js";
import { isWhole } from "../support/whole.js";

interface Rating {
  readonly stimulus: string;
  readonly rater_id: number;
  readonly score: number | null;
  readonly is_training: boolean;
  readonly session_id: string;
}

const body = JSON.parse(readFileSync(join(goldenDir, "mushra.json"), "utf8")) as {
  ratings: Rating[];
  sessions: { id: string; date_completed: string | null }[];
};

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await loadCase("mushra.json");
});
afterAll(() => warehouse.close());

async function errors(): Promise<Row[]> {
  await recomputeBehind(warehouse, ["metric_stats_clustered"]);
  return warehouse.all("select * from metric_stats_clustered where source = '' order by item");
}

const add = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

test("errors of means clustered by rater equal their definition", async () => {
  const completed = new Set(
    body.sessions.filter((s) => s.date_completed !== null).map(({ id }) => id),
  );
  const counted = body.ratings.filter(
    (r) => !r.is_training && r.score !== null && completed.has(r.session_id),
  );
  const rows = await errors();
  expect(rows.length).toBeGreaterThan(3);
  for (const row of rows) {
    const own = counted.filter(({ stimulus }) => stimulus === row.item) as (Rating & {
      score: number;
    })[];
    const mean = add(own.map(({ score }) => score)) / own.length;
    const raters = [...new Set(own.map(({ rater_id }) => rater_id))];
    const sums = raters.map((id) =>
      add(own.filter((r) => r.rater_id === id).map(({ score }) => score - mean)),
    );
    const sem =
      Math.sqrt((add(sums.map((sum) => sum * sum)) * raters.length) / (raters.length - 1)) /
      own.length;
    const half = tQuantile(0.975, raters.length - 1) * sem;
    expect([row.n, row.raters]).toEqual([own.length, raters.length]);
    expect(raters.length).toBeLessThan(own.length);
    // The same sums in another order: rounding only.
    expect(row.clustered_sem).toBeCloseTo(sem, 10);
    expect(row.clustered_ci_low).toBeCloseTo(mean - half, 9);
    expect(row.clustered_ci_high).toBeCloseTo(mean + half, 9);
  }
});

async function withRatings(sql: string): Promise<Row[]> {
  await warehouse.all(
    `create or replace table changed as ${sql}; create or replace view ratings as from changed`,
  );
  const rows = await errors();
  await warehouse.all("create or replace view ratings as from original");
  return rows;
}

test.runIf(isWhole)("properties of clustered errors of means", async () => {
  await warehouse.all("create table original as from ratings");
  const rows = await errors();
  const alone = await withRatings(
    "select * replace (row_number() over () as rater_id) from original",
  );
  const twice = await withRatings("from original union all from original");
  const one = await withRatings("select * replace (1 as rater_id) from original");
  rows.forEach((row, i) => {
    // Raters with one rating each: clustered errors are the plain ones.
    expect(alone[i]?.clustered_sem).toBeCloseTo(row.sem as number, 10);
    // Raters who repeat every rating add no information.
    expect(twice[i]?.clustered_sem).toBeCloseTo(row.clustered_sem as number, 10);
    expect(twice[i]?.sem).toBeLessThan(0.72 * (row.sem as number));
    expect(one[i]).toMatchObject({
      raters: 1,
      clustered_sem: null,
      clustered_ci_low: null,
      clustered_ci_high: null,
    });
  });
});
