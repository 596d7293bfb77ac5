import { expect, test } from "vitest";
import { defaultConventions } from "../../src/metrics/conventions.js";
import {
  documentedTables,
  modelPlan,
  openWarehouse,
  readColumns,
  recomputeModels,
  textOf,
} from "../../src/warehouse/index.js";
import { describeModels, drawModels } from "../support/describe-models.js";
import { leanConventions, loadCase } from "../support/load-case.js";
import { isWhole } from "../support/whole.js";

const documented = async () => (await modelPlan()).flatMap((model) => [...documentedTables(model)]);

test("docs/reference/models.md is generated from the headers of sql/ (`npm run docs` updates it)", async () => {
  await expect(describeModels(await modelPlan())).toMatchFileSnapshot(
    "../../docs/reference/models.md",
  );
});

test("sql/dag.md is generated from the headers of sql/ (`npm run docs` updates it)", async () => {
  await expect(drawModels(await modelPlan())).toMatchFileSnapshot("../../sql/dag.md");
});

test.runIf(isWhole)(
  "an empty lake gives empty metrics, with the columns that every header lists, in their order",
  async () => {
    const warehouse = await openWarehouse({ sources: {} });
    const { models, checks } = await recomputeModels(
      warehouse,
      defaultConventions,
      await modelPlan(),
    );
    expect(models.find(({ name }) => name === "audit_recomputed")?.rows).toBe(0);
    expect(checks.every(({ rows }) => rows === 0)).toBe(true);
    const rows = await warehouse.all(
      "select table_name, column_name from information_schema.columns order by table_name, ordinal_position",
    );
    warehouse.close();
    const given: Record<string, unknown[]> = {};
    for (const row of rows) (given[textOf(row, "table_name")] ??= []).push(row.column_name);
    for (const table of Object.keys(readColumns)) Reflect.deleteProperty(given, table);
    const listed = (await documented()).map(
      ([table, columns]) => [table, columns.map(({ name }) => name)] as const,
    );
    expect(Object.fromEntries(listed)).toEqual(given);
    expect(Object.keys(given).length).toBeGreaterThan(65);
  },
);

test.runIf(isWhole).each(["tiny-pairwise.json", "codec-preference.json", "mushra.json"])(
  "in %s every column with nulls has a header that says what null means",
  async (file) => {
    const warehouse = await loadCase(file);
    await recomputeModels(
      warehouse,
      leanConventions({ incomplete: "include", training: "include" }),
      await modelPlan(),
    );
    for (const [table, columns] of await documented()) {
      const never = columns.filter(({ nulls }) => nulls === "").map(({ name }) => name);
      if (never.length === 0) continue;
      const counts = never.map((name) => `count(*) filter (where ${name} is null) as ${name}`);
      const [row] = await warehouse.all(`select ${counts.join(", ")} from ${table}`);
      expect(row, table).toEqual(Object.fromEntries(never.map((name) => [name, 0])));
    }
    warehouse.close();
  },
);
