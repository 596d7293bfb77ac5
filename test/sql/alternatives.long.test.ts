import { expect, test } from "vitest";
import { loadCase, recomputeBehind } from "../support/load-case.js";

test("the item pattern captures the item; a stimulus without a match keeps its name", async () => {
  const warehouse = await loadCase("two-dimensions.json");
  await recomputeBehind(warehouse, ["metric_win_loss"], { item_pattern: "^model/(.*)$" });
  const rows = await warehouse.all("select distinct item from metric_win_loss order by item");
  warehouse.close();
  expect(rows.map((row) => row.item)).toEqual(["base", "ref", "v1", "v2", "v3"]);
});
