import { describe, expect, test } from "vitest";
import { recompute } from "../../src/warehouse/index.js";
import { checkDefaults, checkVariant, conventionsOf, goldenFiles, readGolden, variantsOf } from "../golden-case.js";
import { leanConventions, loadCase } from "../warehouse/load.js";

describe.each(goldenFiles)("%s", (file) => {
  const golden = readGolden(file);

  test("default conventions", async () => {
    const warehouse = await loadCase(`${file}.json`);
    await recompute(warehouse, leanConventions());
    await checkDefaults(warehouse, golden);
    expect(await warehouse.all("select * from audit_correctness")).toEqual([]);
    warehouse.close();
  });

  test.each(variantsOf(golden))("%s", async (name) => {
    const warehouse = await loadCase(`${file}.json`);
    await recompute(warehouse, leanConventions(conventionsOf(name)));
    await checkVariant(warehouse, golden, name);
    warehouse.close();
  });
});
