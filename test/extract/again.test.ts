import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ExportReport } from "../../src/extract/index.js";
import { verifyProject, type Part } from "../../src/lake/index.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { goldenPaths } from "../support/golden-case.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { reseal } from "../support/reseal.js";
import { isWhole } from "../support/whole.js";

let lake: string;
let service: RunningEmulator;
const load = goldenPaths("tiny-pairwise");

beforeEach(() => {
  lake = temporaryLake();
});
afterEach(async () => {
  await service.close();
  rmSync(lake, { recursive: true });
});

const few = {
  tables: ["sessions", "slates", "slate_ratings", "ratings", "results"],
  sources: "whole",
} as const;

const partsOf = ({ manifest }: ExportReport) => manifest.units.flatMap(({ parts }) => parts);
const inode = ({ dir }: ExportReport, { path }: Part) => statSync(join(dir, path)).ino;
const linked = (before: ExportReport, after: ExportReport) => {
  const known = new Set(partsOf(before).map((part) => inode(before, part)));
  return partsOf(after).map((part) => [part.table, known.has(inode(after, part))] as const);
};

it("an unchanged project costs no second copy", async () => {
  service = await startEmulator({ load });
  const [first, second] = [await exportTo(lake, service, few), await exportTo(lake, service, few)];
  expect(linked(first, second).filter(([, isLink]) => !isLink)).toEqual([]);
  expect(partsOf(second)).toEqual(partsOf(first));
  expect(second.manifest.raw).toEqual(first.manifest.raw);
  expect((await verifyProject(lake, service.projectId)).problems).toEqual([]);
});

it.runIf(isWhole)(
  "a service with validators gets a conditional request, and a 304 keeps the previous part and body",
  async () => {
    service = await startEmulator({ load, etag: true });
    const first = await exportTo(lake, service, few);
    service.faults.clearJournal();
    const second = await exportTo(lake, service, few);
    const ratings = second.manifest.units.find(({ operation }) => operation === "listRatings");
    const before = first.manifest.units.find(({ operation }) => operation === "listRatings");
    expect(ratings).toMatchObject({
      status: 304,
      state: "complete",
      elements: before?.elements,
      body: before?.body,
      etag: before?.etag,
    });
    expect(service.faults.journal().filter(({ status }) => status === 304).length).toBeGreaterThan(
      2,
    );
    expect(linked(first, second).filter(([, isLink]) => !isLink)).toEqual([]);
    expect(second.manifest.experiments.map(({ state }) => state)).toEqual(
      first.manifest.experiments.map(() => "complete"),
    );
    expect(second.manifest.raw).toEqual(first.manifest.raw);
    expect((await verifyProject(lake, service.projectId)).problems).toEqual([]);
    const third = await exportTo(lake, service, few);
    expect(partsOf(third)).toEqual(partsOf(first));
  },
);

it.runIf(isWhole).each([true, false])(
  "a corrupted part is never linked into a new snapshot (validators: %s)",
  async (etag) => {
    service = await startEmulator({ load, etag });
    const first = await exportTo(lake, service, few);
    const part = partsOf(first).find(({ table }) => table === "ratings") as Part;
    const file = join(first.dir, part.path);
    chmodSync(file, 0o640);
    const bytes = readFileSync(file);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(file, bytes);
    const second = await exportTo(lake, service, few);
    expect(linked(first, second).filter(([, isLink]) => !isLink)).toEqual([["ratings", false]]);
    const { problems } = await verifyProject(lake, service.projectId);
    expect(problems.map((problem) => problem.file)).toEqual([file]);
  },
);

it.runIf(isWhole)("parts of another converter are not reused", async () => {
  service = await startEmulator({ load, etag: true });
  const first = await exportTo(lake, service, few);
  reseal(join(first.dir, "manifest.json"), (manifest) => ({ ...manifest, converter: "older" }));
  const second = await exportTo(lake, service, few);
  expect(second.manifest.units.filter(({ status }) => status === 304)).toEqual([]);
  expect(linked(first, second).filter(([, isLink]) => isLink)).toEqual([]);
});

it.runIf(isWhole)(
  "the manifest states the parameters as sent, and a manifest that did not state them lends no body",
  async () => {
    service = await startEmulator({ load, etag: true });
    const first = await exportTo(lake, service, few);
    const lists = ["listRatings", "listSlates", "listSessions"];
    const trained = ({ manifest }: ExportReport) =>
      manifest.units.filter(({ operation }) => lists.includes(operation));
    expect(trained(first).map(({ parameters }) => parameters)).toEqual(
      lists.map(() => ({ training: "true" })),
    );
    const silent = first.manifest.units.map((unit) => ({ ...unit, parameters: {} }));
    reseal(join(first.dir, "manifest.json"), (manifest) => ({ ...manifest, units: silent }));
    const second = await exportTo(lake, service, few);
    expect(trained(second).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(trained(second).map(({ parameters }) => parameters)).toEqual(
      lists.map(() => ({ training: "true" })),
    );
    expect(linked(first, second).filter(([, isLink]) => !isLink)).toEqual([]);
    expect(trained(await exportTo(lake, service, few)).map(({ status }) => status)).toEqual([
      304, 304, 304,
    ]);
  },
);
