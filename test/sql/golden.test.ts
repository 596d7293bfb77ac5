import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { kinds } from "../../src/metrics/index.js";
import type { Warehouse } from "../../src/warehouse/index.js";
import {
  checkDefaults,
  checkVariant,
  conventionsOf,
  goldenFiles,
  readGolden,
  tablesOf,
  variantsOf,
} from "../support/golden-case.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";
import { everyNth } from "../support/whole.js";

describe.each(goldenFiles.map((file, i) => [file, i] as const))("%s", (file, i) => {
  const golden = readGolden(file);

  let warehouse: Warehouse;
  beforeAll(async () => {
    warehouse = await loadCase(`${file}.json`);
  });
  afterAll(() => warehouse.close());

  test("default conventions", async () => {
    await recomputeBehind(warehouse, [...kinds.map((kind) => `metric_${kind}`), "audit_correctness"]);
    await checkDefaults(warehouse, golden);
    expect(await warehouse.all("select * from audit_correctness")).toEqual([]);
  });

  test.each(everyNth(variantsOf(golden), 5, i))("%s", async (name) => {
    await recomputeBehind(warehouse, tablesOf(name), conventionsOf(name));
    await checkVariant(warehouse, golden, name);
  });
});
