import { expect, it } from "vitest";
import { defaultConventions } from "../../src/metrics/index.js";
import { modelPlan, modelsBehind, openWarehouse, recompute } from "../../src/warehouse/index.js";
import { oracle } from "../support/oracle.js";

const { wilson } = oracle("shares") as { wilson: [wins: number, n: number, low: number, high: number][] };

it("gives shares the Wilson interval that statsmodels gives them", async () => {
  const warehouse = await openWarehouse({ sources: {} });
  try {
    const plan = modelsBehind(await modelPlan(), ["leaderboard"]);
    await recompute(warehouse, defaultConventions, plan);
    const rows = wilson.map(([wins, n], i) => `('e', '', '', 'item ${i}', ${(100 * wins) / n}, ${n})`);
    await warehouse.change(
      `insert into metric_percent_chosen (experiment_id, dimension, source, item, value, n) values ${rows.join(", ")}`,
    );
    await recompute(
      warehouse,
      defaultConventions,
      plan.filter(({ name }) => name === "leaderboard"),
    );
    for (const [i, [, , low, high]] of wilson.entries()) {
      const [row] = await warehouse.all(`select low, high from leaderboard where item = 'item ${i}'`);
      // The counts come back from percentages, which are rounded to doubles.
      expect(Number(row?.low)).toBeCloseTo(100 * low, 9);
      expect(Number(row?.high)).toBeCloseTo(100 * high, 9);
    }
  } finally {
    warehouse.close();
  }
});
