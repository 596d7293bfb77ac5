import { expect, test } from "vitest";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { modelPlan, recomputeModels, type Row } from "../../src/warehouse/index.js";
import { loadCase } from "../support/load-case.js";

async function everything(
  file: string,
  options: { threads: number; order?: string },
): Promise<Record<string, Row[]>> {
  const warehouse = await loadCase(file, options);
  const plan = await modelPlan();
  await recomputeModels(
    warehouse,
    conventionsWith({ mean: "rater_z", stats: { interval: "bootstrap" } }),
    plan,
  );
  const tables: Record<string, Row[]> = {};
  for (const { name, layer } of plan) {
    if (layer === "metrics" || layer === "statistics")
      tables[name] = await warehouse.all(`select * from ${name} order by all`);
  }
  warehouse.close();
  return tables;
}

test.each(["codec-preference.json", "mushra.json"])(
  "no number of %s depends on threads or on the order of rows, to the last bit",
  async (file) => {
    const wanted = await everything(file, { threads: 1 });
    expect(wanted.metric_mean?.length).toBeGreaterThan(0);
    expect(wanted.robustness?.length).toBeGreaterThan(0);
    expect(await everything(file, { threads: 4, order: "order by random()" })).toEqual(wanted);
  },
);
