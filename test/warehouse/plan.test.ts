import { expect, test } from "vitest";
import { defaultConventions } from "../../src/metrics/conventions.js";
import { parseModel } from "../../src/warehouse/models.js";
import { loadCase } from "../support/load-case.js";
import { engineOrder } from "../support/engine-order.js";
import {
  modelPlan,
  modelsBehind,
  openWarehouse,
  planModels,
  readModels,
  recomputeModels,
} from "../../src/warehouse/index.js";
import { isWhole } from "../support/whole.js";

const header = "-- grain: one\n-- inputs: a\n";

test.runIf(isWhole)("the engine confirms the inputs in every header, and the order", async () => {
  const plan = await modelPlan();
  expect(plan.length).toBeGreaterThan(60);
  expect(plan.map(({ name, reads }) => ({ name, reads }))).toEqual(
    await engineOrder(await readModels()),
  );
});

const bad = (sql: string, inputs = "ratings") =>
  parseModel("metrics", "bad.sql", header.replace("inputs: a", `inputs: ${inputs}`) + sql);

test("models run after their inputs, whatever their names", () => {
  const plan = planModels([
    parseModel("metrics", "a.sql", `${header.replace("inputs: a", "inputs: b")}select * from b`),
    parseModel(
      "metrics",
      "b.sql",
      `${header.replace("inputs: a", "inputs: ratings")}select count(*) as n from ratings`,
    ),
  ]);
  expect(plan.map(({ name, reads }) => [name, reads])).toEqual([
    ["b", ["ratings"]],
    ["a", ["b"]],
  ]);
});

test.each([
  ["nowhere", "nowhere"],
  ["ratings, bad", "bad"],
])(
  "an input that no model makes in time (%s) is an error that names the file",
  (inputs, missing) => {
    expect(() => planModels([bad("select 1 as a", inputs)])).toThrow(
      `sql/metrics/bad.sql failed: no model makes its input ${missing} before it`,
    );
  },
);

test.each([
  ["an unknown table", "select * from nowhere", /sql\/metrics\/bad\.sql failed.*nowhere/],
  ["a model that reads itself", "select * from bad", /sql\/metrics\/bad\.sql failed/],
  ["a slip in the SQL", "selct 1", /sql\/metrics\/bad\.sql failed.*selct/s],
])("%s is an error that names the file", async (_, sql, message) => {
  const warehouse = await openWarehouse({ sources: {} });
  await expect(
    recomputeModels(warehouse, defaultConventions, planModels([bad(sql)])),
  ).rejects.toThrow(message);
  warehouse.close();
});

test("an unknown kernel is an error that names the file", () => {
  const model = parseModel(
    "metrics",
    "bad.sql",
    `-- kernel: abacus\n${header.replace("inputs: a", "inputs: ratings")}select 1 as a`,
  );
  expect(() => planModels([model])).toThrow(
    "sql/metrics/bad.sql failed: there is no kernel abacus.",
  );
});

test("a check needs a severity, error or warning", () => {
  const check = (line: string) => () =>
    parseModel("checks", "assert_bad.sql", `${line}${header}select 1`);
  expect(check("-- severity: error\n")()).toMatchObject({ severity: "error" });
  expect(check("-- severity: fatal\n")).toThrow(
    "sql/checks/assert_bad.sql: severity fatal is neither",
  );
  expect(check("")).toThrow('no line "-- severity: …"');
});

test("a header without a required line is rejected", () => {
  expect(() => parseModel("metrics", "bad.sql", "-- grain: one\nselect 1")).toThrow(
    'no line "-- inputs: …"',
  );
});

test.each(["condition-[", "condition-.*", "(.*)/(.*)"])(
  "the item pattern %j is a usage error",
  async (item_pattern) => {
    const warehouse = await openWarehouse({ sources: {} });
    await expect(
      recomputeModels(warehouse, { ...defaultConventions, item_pattern }),
    ).rejects.toMatchObject({
      name: "UsageError",
      message: expect.stringContaining(
        `conventions.item_pattern: ${item_pattern} is not a regular expression with one capture`,
      ) as string,
    });
    warehouse.close();
  },
);

test("the models behind a table are exactly those that it reads, directly or indirectly", async () => {
  const plan = await modelPlan();
  const names = (tables: string[]): string[] => modelsBehind(plan, tables).map(({ name }) => name);
  expect(names(["stg_jobs", "nowhere"])).toEqual(["stg_jobs"]);
  expect(names(["fit_elo_order"])).toContain("fit_elo");
  expect(names(["metric_elo"])).toEqual(
    expect.arrayContaining(["fit_elo", "int_items", "int_population", "stg_ratings"]),
  );
  expect(names(["metric_elo"])).not.toEqual(expect.arrayContaining(["fit_bayesian_elo"]));
  const warehouse = await openWarehouse({ sources: {} });
  await recomputeModels(warehouse, defaultConventions, modelsBehind(plan, ["metric_elo"]));
  expect(await warehouse.all("select * from metric_elo")).toEqual([]);
  warehouse.close();
});

test.runIf(isWhole)(
  "a kernel leaves out what only tables that nothing reads would need, and those tables",
  async () => {
    const rowsWhen = async (table: string): Promise<(number | null)[]> => {
      const warehouse = await loadCase("tiny-pairwise.json");
      await recomputeModels(
        warehouse,
        defaultConventions,
        modelsBehind(await modelPlan(), [table]),
      );
      const counts = ["fit_elo", "fit_elo_order"].map((name) =>
        warehouse.all(`select count(*) as n from ${name}`).then(
          ([row]) => Number(row?.n),
          () => null,
        ),
      );
      return Promise.all(counts).finally(() => warehouse.close());
    };
    const [items] = await rowsWhen("metric_elo_order");
    expect(items).toBeGreaterThan(0);
    expect(await rowsWhen("metric_elo")).toEqual([items, null]);
    const [, orders] = await rowsWhen("fit_elo_order");
    expect(orders).toBe(items);
  },
);

test("a model that is stored while shared is a table only while three models are to read it, or two of many files", async () => {
  const shared = (name: string, reads: string, stored: string) =>
    parseModel(
      "metrics",
      `${name}.sql`,
      `-- stored: ${stored}\n-- grain: one\n-- inputs: ${reads}\nselect * from ${reads}`,
    );
  const kindsDuring = async (
    readers: readonly string[],
    isInManyFiles = false,
  ): Promise<string[]> => {
    const warehouse = await openWarehouse({ sources: {} });
    const kinds: string[] = [];
    const kindOf = async () => {
      const [row] = await warehouse.all(
        "select count(*)::integer as n from duckdb_tables() where table_name = 'pairs'",
      );
      return row?.n === 1 ? "table" : "view";
    };
    const watched = {
      ...warehouse,
      isInManyFiles,
      createModel: async (...model: Parameters<typeof warehouse.createModel>) => {
        const rows = await warehouse.createModel(...model);
        kinds.push(await kindOf());
        return rows;
      },
    };
    const plan = planModels([
      shared("pairs", "ratings", "while shared"),
      ...readers.map((name) => shared(name, "pairs", "table")),
    ]);
    await recomputeModels(watched, defaultConventions, plan);
    kinds.push(await kindOf());
    expect(await warehouse.all("from pairs")).toEqual([]);
    warehouse.close();
    return kinds;
  };
  expect(await kindsDuring(["one", "two"])).toEqual(["view", "view", "view", "view"]);
  expect(await kindsDuring(["one", "two"], true)).toEqual([
    "table",
    "table",
    "table",
    "view",
    "view",
  ]);
  expect(await kindsDuring(["one"], true)).toEqual(["view", "view", "view"]);
  expect(await kindsDuring(["one", "two", "three"])).toEqual([
    "table",
    "table",
    "table",
    "table",
    "view",
    "view",
  ]);
});
