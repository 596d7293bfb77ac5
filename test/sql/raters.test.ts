import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Row } from "../../src/warehouse/index.js";
import { goldenDir, loadCase, recomputeBehind } from "../support/load-case.js";

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
