import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { packageFile } from "../../src/platform/index.js";
import { folderOfTests } from "../support/folder.js";
import { recount, type Outcome } from "../support/command-line.js";
import { recountHere } from "../support/in-process.js";

const folder = folderOfTests("recount-first");
let demo: Outcome;
beforeAll(async () => {
  demo = await recount(["demo"], {}, folder);
});
afterAll(() => {});

it("shows the demo in at most 30 lines of 100 columns, paths apart", () => {
  expect(demo.code).toBe(0);
  const lines = [...demo.stderr.trimEnd().split("\n"), ...demo.stdout.trimEnd().split("\n")];
  expect(lines.length).toBeLessThanOrEqual(30);
  expect(lines.filter((line) => line.length > 100 && !line.includes(folder))).toEqual([]);
});

it("finds a lake in the current folder, and a pipeline file with its lake", async () => {
  const inLake = await recount(["audit"], {}, join(folder, "recount-demo/lake"));
  expect(inLake).toMatchObject({ code: 2, stderr: "Found a lake in the current folder.\n" });
  copyFileSync(packageFile("pipelines/demo.yaml"), join(folder, "recount.yaml"));
  const beside = await recount(["audit"], {}, folder);
  expect(beside).toMatchObject({
    code: 0,
    stderr: "Found recount.yaml, whose lake is recount-demo/lake.\n",
  });
  expect(beside.stdout).toContain("40 under one accepted convention.");
  const named = join(folder, "recount.yaml");
  writeFileSync(named, `lake: recount-demo/lake\n`);
  expect((await recount(["audit", "--pipeline", named])).stdout).toContain("5,896");
});

it("groups the commands of the help, which begins with three of them", async () => {
  const { code, stdout } = await recountHere(["--help"]);
  expect(code).toBe(0);
  expect(stdout.match(/^[A-Z][a-z ]+:$/gm)).toEqual([
    "Start:",
    "Look:",
    "Every night:",
    "Lake:",
    "Emulator:",
  ]);
  expect(stdout.indexOf("recount demo")).toBeLessThan(stdout.indexOf("Start:"));
  expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
});
