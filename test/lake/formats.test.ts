import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Type } from "typebox";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { auditLake } from "../../src/audit/index.js";
import { columnTypes, partColumns, tableNames } from "../../src/contract/index.js";
import { records } from "../../src/contract/records.js";
import { startEmulator } from "../../src/emulator/index.js";
import { currentSnapshot, layoutOf, openSnapshot, verifyProject } from "../../src/lake/index.js";
import { openWarehouse, type Row } from "../../src/warehouse/index.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { reseal } from "../support/reseal.js";
import { everyNth } from "../support/whole.js";

const project = "Listen42";
const lake = temporaryLake();
/** Written by version 0.1.0 in format 1. */
const old = join(lake, "old");
/** Written before 0.2.0 in format 2. */
const second = join(lake, "second");
/** Written before 0.2.0 in format 3. */
const third = join(lake, "third");
/** Written before 0.2.0 in format 4, the present one. */
const fourth = join(lake, "fourth");
const lakes = { old, second, new: join(lake, "new") };
let first = "";

const copyLake = (format: number, to: string) =>
  cpSync(join(import.meta.dirname, `../lakes/${format}`), to, { recursive: true });

beforeAll(async () => {
  copyLake(1, old);
  copyLake(2, second);
  copyLake(3, third);
  copyLake(4, fourth);
  copyLake(1, lakes.new);
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

const each = [
  [1, old],
  [2, second],
  [3, third],
  [4, fourth],
] as const;

it.each(everyNth("formats", each, 3))("a lake of format %i is verified, queried and audited", async (format, at) => {
  const { manifest } = await openSnapshot(at, project);
  expect(manifest.format).toBe(format);
  expect(await verifyProject(at, project)).toMatchObject({ snapshots: [manifest.snapshot], problems: [] });
  expect(
    await query(
      at,
      `select count(*) as n, count(distinct ratings.session_id) as s, typeof(any_value(ratings.meta)) as meta,
        count(slates.id) as joined
       from ratings left join slates on slates.id = slate_id and slates.rater_id = ratings.rater_id`,
    ),
  ).toEqual([{ n: 32, s: 4, meta: "VARCHAR", joined: 32 }]);
  const { report, warehouse } = await auditLake(at, project);
  warehouse.close();
  expect(report.summary.exact).toBeGreaterThan(10);
});

it("parts of an earlier format are converted again, not linked, in a snapshot of this format", async () => {
  const service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  const at = join(lake, "again");
  copyLake(2, at);
  const before = await openSnapshot(at, project);
  const file = join(at, layoutOf(project).snapshots, before.id, "manifest.json");
  reseal(file, (manifest) => ({ ...manifest, service: service.url }));
  await exportTo(at, service);
  await service.close();
  const { manifest } = await openSnapshot(at, project);
  expect(manifest).toMatchObject({ format: 4, previous: before.id });
  const digests = (one: typeof manifest) =>
    Object.fromEntries(one.units.flatMap(({ parts }) => parts.map(({ path, sha256 }) => [path, sha256])));
  expect(digests(manifest)["experiment_id=exp1/ratings.parquet"]).toHaveLength(64);
  expect(Object.values(digests(before.manifest))).not.toContain(
    digests(manifest)["experiment_id=exp1/ratings.parquet"],
  );
  expect(await verifyProject(at, project)).toMatchObject({ snapshots: { length: 2 }, problems: [] });
});

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

it("a lake of format 1 gets further snapshots, of format 4, which state the columns of their parts", async () => {
  const { manifest } = await openSnapshot(lakes.new, project);
  expect(manifest).toMatchObject({ format: 4, previous: first });
  expect(manifest.columns?.ratings).toEqual(partColumns("ratings"));
  expect(await verifyProject(lakes.new, project)).toMatchObject({ snapshots: { length: 2 }, problems: [] });
});

it.each(everyNth("formats", Object.entries(lakes), 3, 2))(
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
  reseal(file, (manifest) => ({ ...manifest, format: 5, recount: "9.1.0" }));
  const said = "was written by Recount 9.1.0 in format 5, and this version reads formats up to 4: use Recount 9.1.0";
  await expect(openSnapshot(at, project)).rejects.toThrow(said);
  expect((await verifyProject(at, project)).problems).toMatchObject([
    { file, problem: expect.stringContaining(said) as string },
  ]);
});
