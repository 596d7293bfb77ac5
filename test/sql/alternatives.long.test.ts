import { expect, test } from "vitest";
import type { ConventionsInput } from "../../src/metrics/conventions.js";
import type { Row } from "../../src/warehouse/index.js";
import { loadCase, recomputeBehind } from "../support/load-case.js";

async function rowsUnder(file: string, input: ConventionsInput, sql: string): Promise<Row[]> {
  const warehouse = await loadCase(file);
  await recomputeBehind(warehouse, sql.match(/\w+/g) ?? [], input);
  const rows = await warehouse.all(sql);
  warehouse.close();
  return rows;
}

test("a bootstrap interval is close to the t interval and the same for the same seed", async () => {
  const sql =
    "select item, mean, ci_low, ci_high from metric_stats where source = '' order by item";
  const t = await rowsUnder("mushra.json", {}, sql);
  const bootstrap = await rowsUnder("mushra.json", { stats: { interval: "bootstrap" } }, sql);
  expect(await rowsUnder("mushra.json", { stats: { interval: "bootstrap" } }, sql)).toEqual(
    bootstrap,
  );
  bootstrap.forEach((row, i) => {
    const width = (of: Row | undefined): number => (of?.ci_high as number) - (of?.ci_low as number);
    // 1000 draws place an end to a few per cent of the width.
    expect(width(row) / width(t[i])).toBeGreaterThan(0.85);
    expect(width(row) / width(t[i])).toBeLessThan(1.15);
    expect(row.ci_low).toBeLessThan(row.mean as number);
  });
});

test("the item pattern captures the item; a stimulus without a match keeps its name", async () => {
  const wins = await rowsUnder(
    "two-dimensions.json",
    { item_pattern: "^model/(.*)$" },
    "select distinct item from metric_win_loss order by item",
  );
  expect(wins.map((row) => row.item)).toEqual(["base", "ref", "v1", "v2", "v3"]);
});
