/** The interval of an approved share, against the equation that Wilson's ends solve. */
import { expect, test } from "vitest";
import { createEvaluator } from "../../src/audit/recompute/evaluator.js";
import { loadRatings } from "../../src/audit/recompute/ratings.js";
import { textOf } from "../../src/warehouse/index.js";
import { own } from "../support/audit/synthetic-ratings.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";

const normal = 1.959963984540054;

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
