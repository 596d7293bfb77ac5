import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { convertToPart, type PartTarget } from "../../src/extract/part.js";
import { openWarehouse, type Warehouse } from "../../src/warehouse/index.js";
import { folderOfTests } from "../support/folder.js";
import { readTwice, scanOf } from "../support/scan-body.js";

const dir = folderOfTests("recount-small");
let warehouse: Warehouse;
let count = 0;

beforeAll(async () => {
  warehouse = await openWarehouse({ sources: {}, threads: 1 });
});
afterAll(() => warehouse.close());

describe("a single record", () => {
  const record =
    '{"id": "e1", "name": "One", "date_created": "2026-03-01T12:00:00+02:00", "question": null, "mood": [1]}';
  it.each([
    [record, "typed"],
    [`\n${record.replaceAll(", ", ",\n  ")}\n`, "typed"],
    [record.replace('"e1"', "[1]"), "judged"],
    [record.replace("}", ', "name": "Two"}'), "judged"],
  ])("%s is read by the %s reader, as the exact one reads it", async (body, reader) => {
    const { exact, fast } = await readTwice({ warehouse, dir }, body, "experiment_details", {
      sizes: 7,
      form: "record",
    });
    expect([exact.reader, fast.reader]).toEqual(["judged", reader]);
    expect(fast.made).toEqual(exact.made);
  });
});

it("an empty list becomes the same bytes each time, whatever is asked for", async () => {
  const engines = [
    await openWarehouse({ sources: {}, threads: 1 }),
    await openWarehouse({ sources: {}, threads: 1 }),
  ];
  const parts: Buffer[] = [];
  for (const [asked, engine] of [undefined, "job1"].flatMap((one) =>
    engines.map((engine) => [one, engine] as const),
  )) {
    const body = join(dir, `empty-${count++}.json`);
    writeFileSync(body, " [\n] ");
    const target: PartTarget = {
      table: "results",
      file: `${body}.parquet`,
      quarantine: `${body}.bad`,
    };
    const done = await convertToPart(
      engine,
      { file: body, form: "list", scan: scanOf("[]", "results", 7), asked },
      target,
    );
    expect(done).toMatchObject({
      rows: 0,
      quarantined: 0,
      unknown_fields: {},
      hasSecrets: false,
      reader: "typed",
    });
    parts.push(readFileSync(target.file));
    expect(
      await engine.all(
        `select count(*) as n, any_value(kind) as kind from read_parquet('${target.file}')`,
      ),
    ).toEqual([{ n: 0, kind: null }]);
  }
  engines.forEach((engine) => engine.close());
  expect(new Set(parts.map((part) => part.toString("hex"))).size).toBe(1);
});
