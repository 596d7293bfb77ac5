import { expect, test } from "vitest";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { recompute, type Row } from "../../src/warehouse/index.js";
import { loadCase } from "./load.js";

async function everything(file: string, options: { threads: number; order?: string }): Promise<Row[]> {
  const warehouse = await loadCase(file, options);
  await recompute(warehouse, conventionsWith({ mean: "rater_z" }));
  const rows = await warehouse.all("select * from audit_recomputed");
  warehouse.close();
  return rows;
}

test.each(["codec-preference.json", "mushra.json"])(
  "no number of %s depends on threads or on the order of rows, to the last bit",
  async (file) => {
    const wanted = await everything(file, { threads: 1 });
    expect(wanted.length).toBeGreaterThan(0);
    expect(await everything(file, { threads: 4, order: "order by random()" })).toEqual(wanted);
  },
);
