import { afterAll, beforeEach, expect, it } from "vitest";
import { defaultConventions } from "../../src/metrics/index.js";
import { declareModels, openWarehouse, type Warehouse } from "../../src/warehouse/index.js";

let warehouse: Warehouse | undefined;
beforeEach(async () => {
  warehouse?.close();
  warehouse = await openWarehouse({ sources: {} });
  await declareModels(warehouse, defaultConventions);
  await warehouse.confine([]);
});
afterAll(() => warehouse?.close());

const all = (sql: string) => (warehouse as Warehouse).all(sql);
const named = async (sql: string) => (await all(sql)).map((row) => Object.values(row)[0] as string);

const computed = () =>
  named(
    "select table_name from system.main.duckdb_tables() where schema_name = 'main' order by all",
  );

it.each([
  "from int_items",
  "select count(*) from ratings where exists (from int_items)",
  "describe int_items",
  "summarize int_items",
  "explain from int_items",
  "from query_table('int_items')",
  'select 1 from main."INT_ITEMS"',
  "pivot int_items on item using count(*)",
  "create temp table kept as from ratings; from kept union all by name from int_items",
  "create view own as from int_items; from own",
  "create macro mine() as table from int_items; from mine()",
])("computes what a statement reads and nothing else: %s", async (sql) => {
  await all(sql);
  const tables = await computed();
  expect(tables).toEqual(expect.arrayContaining(["int_items"]));
  expect(tables.filter((name) => name.startsWith("metric_"))).toEqual([]);
});

it("computes each table of a kernel when it is read, whichever was read before", async () => {
  await all("from fit_elo");
  expect(await computed()).not.toContain("fit_elo_order");
  await all("select * from fit_elo_order join fit_elo using (item_id)");
  await all(
    "select * from metric_elo_order join metric_elo using (item), metric_bayesian_elo, metric_rater_quality",
  );
  expect(await computed()).toEqual(
    expect.arrayContaining(["fit_elo", "fit_elo_order", "metric_elo_order"]),
  );
});

it.each([
  ["from ratigns", "There is no table ratigns. Did you mean ratings? `show tables` lists them."],
  [
    "from metric_el",
    "There is no table metric_el. Did you mean metric_elo? `show tables` lists them.",
  ],
  ["from qqqqqqq", "There is no table qqqqqqq. `show tables` lists them."],
  ["from recount_not_computed.nothing", "recount_not_computed"],
])("suggests the nearest table: %s", async (sql, message) => {
  await expect(all(sql)).rejects.toThrow(message);
});

it("streams rows with their names, exact decimals and plain dates, also where two columns share a name", async () => {
  const rows = await (warehouse as Warehouse).stream(
    "select i as a, i + 1 as a, date '2026-01-02' as day, 1.10::decimal(4,2) as price from range(5000) as t(i) order by i",
  );
  expect(rows.columns).toEqual([
    { name: "a", isNumber: true },
    { name: "a", isNumber: true },
    { name: "day", isNumber: false },
    { name: "price", isNumber: true },
  ]);
  expect(await rows.take(2)).toEqual([
    [0, 1, "2026-01-02", "1.10"],
    [1, 2, "2026-01-02", "1.10"],
  ]);
  expect((await rows.take(3000)).length).toBe(3000);
  expect(await rows.skip()).toBe(1998);
});
