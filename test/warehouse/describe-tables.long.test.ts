import { afterAll, beforeAll, expect, test } from "vitest";
import { tableColumns, tableNames } from "../../src/contract/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { readSnapshot } from "../../src/lake/index.js";
import { rmSync } from "node:fs";
import {
  declareModels,
  modelPlan,
  openWarehouse,
  documentedTables,
  type Row,
  type Warehouse,
} from "../../src/warehouse/index.js";
import { describeTables } from "../support/describe-tables.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { leanConventions } from "../support/load-case.js";

const lake = temporaryLake();
let warehouse: Warehouse;
beforeAll(async () => {
  const service = await startEmulator({});
  const { manifest } = await exportTo(lake, service);
  const { tables } = await readSnapshot(lake, manifest.project_id);
  await service.close();
  warehouse = await openWarehouse({ sources: tables });
  await declareModels(warehouse, leanConventions());
});
afterAll(() => {
  warehouse.close();
  rmSync(lake, { recursive: true });
});

test("every column of the lake is documented", () => {
  const silent = tableNames.flatMap((table) =>
    tableColumns(table)
      .filter(({ description }) => (description ?? "") === "")
      .map(({ name }) => `${table}.${name}`),
  );
  expect(silent).toEqual([]);
});

test("docs/reference/data-dictionary.md is generated from the contract and the headers of sql/ (`npm run docs` updates it)", async () => {
  const plan = await modelPlan();
  const shown = plan
    .filter(
      ({ layer, name }) =>
        ["views", "metrics", "statistics"].includes(layer) && !/^(?:fit|key)_/.test(name),
    )
    .flatMap((model) => [...documentedTables(model).keys()]);
  const examples: Record<string, Row[]> = {};
  for (const table of [...tableNames, ...shown])
    examples[table] = await warehouse.all(`from ${table} order by all limit 300`);
  await expect(describeTables(plan, examples)).toMatchFileSnapshot(
    "../../docs/reference/data-dictionary.md",
  );
});
