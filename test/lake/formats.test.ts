import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { auditLake } from "../../src/audit/index.js";
import { partColumns } from "../../src/contract/index.js";
import { records } from "../../src/contract/records.js";
import { startEmulator } from "../../src/emulator/index.js";
import { currentSnapshot, layoutOf, openSnapshot, verifyProject } from "../../src/lake/index.js";
import { openWarehouse, type Row } from "../../src/warehouse/index.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { reseal } from "../support/reseal.js";

const project = "Listen42";
const lake = temporaryLake();
/** Written by version 0.1.0 in format 1. */
const old = join(lake, "old");
const lakes = { old, new: join(lake, "new") };
let first = "";

beforeAll(async () => {
  for (const one of Object.values(lakes)) cpSync(join(import.meta.dirname, "../lakes/1"), one, { recursive: true });
  first = (await currentSnapshot(old, project)) ?? "";
  const service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  await exportTo(lakes.new, service);
  await service.close();
});
afterAll(() => rmSync(lake, { recursive: true }));
const restored: (() => void)[] = [];
// The last change first: both versions of the interface share some records.
afterEach(() =>
  restored
    .splice(0)
    .toReversed()
    .forEach((restore) => restore()),
);

async function query(at: string, sql: string): Promise<Row[]> {
  const { tables } = await openSnapshot(at, project);
  const warehouse = await openWarehouse({ sources: tables });
  try {
    return await warehouse.all(sql);
  } finally {
    warehouse.close();
  }
}

/** Gives the records of ratings and sessions a field for the rest of the test, or another type to one that they have. */
function changeContract(name: string, type: object): void {
  for (const record of [records.rating, records.session])
    for (const { properties } of Object.values(record) as { properties: Record<string, object> }[]) {
      const before = properties[name];
      properties[name] = type;
      restored.push(() => {
        if (before === undefined) Reflect.deleteProperty(properties, name);
        else properties[name] = before;
      });
    }
}

it("a lake of format 1 is verified, queried and audited", async () => {
  expect(await verifyProject(old, project)).toMatchObject({ snapshots: [first], problems: [] });
  expect(await query(old, "select count(*) as n, count(distinct session_id) as s from ratings")).toEqual([
    { n: 32, s: 4 },
  ]);
  const { report, warehouse } = await auditLake(old, project);
  warehouse.close();
  expect(report.summary.exact).toBeGreaterThan(10);
});

it("a lake of format 1 gets further snapshots, of format 2, which state the columns of their parts", async () => {
  const { manifest } = await openSnapshot(lakes.new, project);
  expect(manifest).toMatchObject({ format: 2, previous: first });
  expect(manifest.columns?.ratings).toEqual(partColumns("ratings"));
  expect(await verifyProject(lakes.new, project)).toMatchObject({ snapshots: { length: 2 }, problems: [] });
});

it.each(Object.entries(lakes))(
  "an untouched %s lake verifies after the contract got a field, which is null in it",
  async (_, at) => {
    changeContract("confidence", Type.Optional(Type.Number()));
    expect(partColumns("ratings")).toMatchObject({ confidence: "DOUBLE" });
    expect((await verifyProject(at, project)).problems).toEqual([]);
    expect(await query(at, "select count(*) as n, count(confidence) as c from ratings")).toEqual([{ n: 32, c: 0 }]);
  },
);

it("an untouched lake verifies and is read after a field became plain text", async () => {
  changeContract("date_completed", Type.String());
  expect((await verifyProject(lakes.new, project)).problems).toEqual([]);
  expect(await query(lakes.new, "select typeof(any_value(date_completed)) as t from sessions")).toEqual([
    { t: "VARCHAR" },
  ]);
});

it("a manifest of a later format is refused, naming the version that reads it", async () => {
  const at = join(lake, "later");
  cpSync(old, at, { recursive: true });
  const file = join(at, layoutOf(project).snapshots, first, "manifest.json");
  reseal(file, (manifest) => ({ ...manifest, format: 3, recount: "9.1.0" }));
  const said = "was written by Recount 9.1.0 in format 3, and this version reads formats up to 2: use Recount 9.1.0";
  await expect(openSnapshot(at, project)).rejects.toThrow(said);
  expect((await verifyProject(at, project)).problems).toMatchObject([
    { file, problem: expect.stringContaining(said) as string },
  ]);
});
