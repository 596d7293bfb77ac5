import { cpSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";
import { afterEach, expect, it } from "vitest";
import { columnTypes, partColumns, tableNames } from "../../src/contract/index.js";
import { records } from "../../src/contract/records.js";
import { readSnapshot, verifyProject } from "../../src/lake/index.js";
import { openWarehouse, type Row } from "../../src/warehouse/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { reseal } from "../support/reseal.js";
import { testProject } from "../support/project.js";

const { service, folder: root, path } = await testProject();
const project = service.projectId;
const lake = path("lake");
await exportTo(lake, service, { tables: ["ratings", "sessions"] });
const restored: (() => void)[] = [];
// The last change first: both versions of the interface share some records.
afterEach(() =>
  restored
    .splice(0)
    .toReversed()
    .forEach((restore) => restore()),
);

async function query(sql: string): Promise<Row[]> {
  const { tables } = await readSnapshot(lake, project);
  const warehouse = await openWarehouse({ sources: tables });
  try {
    return await warehouse.all(sql);
  } finally {
    warehouse.close();
  }
}

function changeContract(name: string, type: object): void {
  for (const record of [records.rating, records.session])
    for (const { properties } of Object.values(record) as {
      properties: Record<string, object>;
    }[]) {
      const before = properties[name];
      properties[name] = type;
      restored.push(() => {
        if (before === undefined) Reflect.deleteProperty(properties, name);
        else properties[name] = before;
      });
    }
}

it("a key has one type in every table of the lake, and JSON is text", () => {
  const types = new Map<string, Set<string>>();
  for (const table of tableNames)
    for (const [name, type] of Object.entries(columnTypes(table))) {
      const key = name === "id" ? `${table.replace(/s$/, "")}_id` : name;
      if (key.endsWith("_id")) types.set(key, (types.get(key) ?? new Set()).add(type));
    }
  const several = [...types].filter(([, own]) => own.size > 1);
  expect(several).toEqual([]);
  expect([...(types.get("rater_id") ?? [])]).toEqual(["VARCHAR"]);
  expect(tableNames.flatMap((table) => Object.values(columnTypes(table)))).not.toContain("JSON");
});

it("an untouched lake verifies after the contract got a field, which is null in it", async () => {
  changeContract("confidence", Type.Optional(Type.Number()));
  expect(partColumns("ratings")).toMatchObject({ confidence: "DOUBLE" });
  expect((await verifyProject(lake, project)).problems).toEqual([]);
  expect(await query("select count(*) as n, count(confidence) as c from ratings")).toEqual([
    { n: 32, c: 0 },
  ]);
});

it("an untouched lake verifies and is read after a field became plain text", async () => {
  changeContract("date_completed", Type.String());
  expect((await verifyProject(lake, project)).problems).toEqual([]);
  expect(await query("select typeof(any_value(date_completed)) as t from sessions")).toEqual([
    { t: "VARCHAR" },
  ]);
});

it("a manifest of a later format is refused, naming the version that reads it", async () => {
  const at = join(root, "later");
  cpSync(lake, at, { recursive: true });
  const { locate } = await readSnapshot(at, project);
  const file = locate("manifest.json");
  reseal(file, (manifest) => ({ ...manifest, format: 2, recount: "9.1.0" }));
  const said =
    "was written by Recount 9.1.0 in format 2, and this version reads formats up to 1: use Recount 9.1.0";
  await expect(readSnapshot(at, project)).rejects.toThrow(said);
  expect((await verifyProject(at, project)).problems).toMatchObject([
    { file, problem: expect.stringContaining(said) as string },
  ]);
});
