import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { modelPlan, modelsBehind, recomputeModels, type Row } from "../../src/warehouse/index.js";
import { goldenDir, loadCase, recomputeBehind } from "../support/load-case.js";
import { isWhole } from "../support/whole.js";

interface Body {
  ratings: { rater_id: number; dimension: string; is_correct: boolean | null }[];
}

function agreementOf(
  comparisons: readonly Row[],
): Map<string, { agreeing: number; comparable: number }> {
  const of = new Map<string, { agreeing: number; comparable: number }>();
  for (const own of comparisons) {
    const others = comparisons.filter(
      (c) => c.rater_id !== own.rater_id && c.item_a === own.item_a && c.item_b === own.item_b,
    );
    const majority = Math.sign(others.reduce((sum, c) => sum + (c.outcome as number), 0));
    const tally = of.get(own.rater_id as string) ?? { agreeing: 0, comparable: 0 };
    of.set(own.rater_id as string, tally);
    if (own.outcome === 0 || majority === 0) continue;
    tally.comparable++;
    tally.agreeing += Number(own.outcome === majority);
  }
  return of;
}

test("each rater's agreement with the others and share of correct ratings", async () => {
  const warehouse = await loadCase("two-dimensions.json");
  await recomputeBehind(warehouse, ["metric_raters", "int_comparisons"]);
  const rows = await warehouse.all("select * from metric_raters where dimension = 'motion'");
  const agreement = agreementOf(
    await warehouse.all("select * from int_comparisons where dimension = 'motion'"),
  );
  const { ratings } = JSON.parse(
    readFileSync(join(goldenDir, "two-dimensions.json"), "utf8"),
  ) as Body;
  const inDimension = ratings.filter((r) => r.dimension === "motion");
  expect(new Set(rows.map((row) => row.rater_id))).toEqual(
    new Set(inDimension.map((r) => String(r.rater_id))),
  );
  for (const row of rows) {
    const own = inDimension.filter((r) => String(r.rater_id) === row.rater_id);
    const correct = own.filter((r) => r.is_correct === true).length;
    const incorrect = own.filter((r) => r.is_correct === false).length;
    const { agreeing, comparable } = agreement.get(row.rater_id as string) ?? {
      agreeing: 0,
      comparable: 0,
    };
    expect(row).toMatchObject({ ratings: own.length, correct, incorrect, comparable });
    expect(row.agreement_pct).toBe(comparable === 0 ? null : (100 * agreeing) / comparable);
    expect(row.correct_pct).toBe(
      correct + incorrect === 0 ? null : (100 * correct) / (correct + incorrect),
    );
  }
  warehouse.close();
});

test.runIf(isWhole)(
  "Bradley-Terry and the orders of Elo are tables beside the published kinds",
  async () => {
    const warehouse = await loadCase("codec-preference.json");
    const models = modelsBehind(await modelPlan(), [
      "metric_bradley_terry_fit",
      "metric_bradley_terry",
      "metric_bradley_terry_intervals",
      "metric_elo_order",
    ]);
    await recomputeModels(warehouse, defaultConventions, models);
    const [fit] = await warehouse.all("select * from metric_bradley_terry_fit where source = ''");
    expect(fit).toMatchObject({
      components: 1,
      classes: 1,
      is_separated: false,
      is_converged: true,
    });
    const worths = await warehouse.all(
      "from metric_bradley_terry join metric_bradley_terry_intervals using (experiment_id, dimension, source, item) where source = '' order by rank",
    );
    expect(worths.map((row) => row.rank)).toEqual(worths.map((_, i) => i + 1));
    // Log worths sum to zero, to the rounding of Newton's steps.
    expect(worths.reduce((sum, row) => sum + (row.value as number), 0)).toBeCloseTo(0, 9);
    for (const row of worths) {
      expect(row.draws_used).toBe(200);
      expect(row.ci_low).toBeLessThan(row.value as number);
      expect(row.ci_high).toBeGreaterThan(row.value as number);
    }
    const orders = await warehouse.all("select * from metric_elo_order where source = ''");
    for (const row of orders) {
      expect(row.permutations).toBe(100);
      expect(row.spread_elo).toBeGreaterThan(0);
      expect(row.min_elo).toBeLessThan(row.max_elo as number);
    }
    warehouse.close();
  },
);
