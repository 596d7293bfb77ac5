import { expect, it } from "vitest";
import { defaultConventions } from "../../src/metrics/index.js";
import {
  modelPlan,
  modelsBehind,
  openWarehouse,
  recomputeModels,
} from "../../src/warehouse/index.js";
import { shareEnds } from "../../src/metrics/share-interval.js";
import { oracle } from "../support/oracle.js";
import { everyNth } from "../support/whole.js";

type Counts = [wins: number, n: number, low: number, high: number][];
const { wilson, ...others } = oracle("shares") as Record<string, Counts>;

it.each(Object.entries(shareEnds).filter(([method]) => method in others))(
  "computes the %s interval that statsmodels or SciPy computes",
  (method, endOf) => {
    for (const [wins, n, ...ends] of others[method]!)
      for (const [end, sign] of [-1, 1].entries())
        // SciPy's inverse of the incomplete beta function is good to 1e-11.
        expect(endOf(wins / n, n, sign as 1 | -1, 0.975)).toBeCloseTo(ends[end]!, 10);
  },
);

const z = 1.959963984540054;

// Raters who vary as much as independent ratings do, with the factor of the normal distribution, are another way to the same.
it.each(everyNth(["unknown raters", "many raters"], 2, 1))(
  "gives shares of %s the Wilson interval that statsmodels gives them",
  async (raters) => {
    const warehouse = await openWarehouse({ sources: {} });
    try {
      const plan = modelsBehind(await modelPlan(), ["leaderboard"]);
      await recomputeModels(warehouse, defaultConventions, plan);
      const rows = wilson!.map(
        ([wins, n], i) => `('e', '', '', 'item ${i}', ${(100 * wins) / n}, ${n})`,
      );
      await warehouse.change(
        `insert into metric_percent_chosen (experiment_id, dimension, source, item, value, n) values ${rows.join(", ")}`,
      );
      await warehouse.change(
        "insert into int_directions (experiment_id, dimension, sign) values ('e', '', 1)",
      );
      if (raters === "many raters") {
        const clusters = wilson!.map(
          ([, n], i) => `('percent_chosen', 'e', '', '', 'item ${i}', 10, ${n})`,
        );
        await warehouse.change(
          `insert into int_share_clusters (kind, experiment_id, dimension, source, item, raters, effective_n) values ${clusters.join(", ")}`,
        );
        await warehouse.change(
          `insert into fit_cluster_critical_values (df, critical) values (9, ${z})`,
        );
      }
      await recomputeModels(
        warehouse,
        defaultConventions,
        plan.filter(({ name }) => name === "leaderboard"),
      );
      for (const [i, [, , low, high]] of wilson!.entries()) {
        const [row] = await warehouse.all(
          `select low, high, interval from leaderboard where item = 'item ${i}'`,
        );
        expect(row?.interval).toBe(
          raters === "many raters" ? "Wilson, clustered by rater" : "Wilson, ratings independent",
        );
        // The counts come back from percentages, which are rounded to doubles.
        expect(Number(row?.low)).toBeCloseTo(100 * low, 9);
        expect(Number(row?.high)).toBeCloseTo(100 * high, 9);
      }
    } finally {
      warehouse.close();
    }
  },
);
