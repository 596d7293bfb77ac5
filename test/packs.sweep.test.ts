import { execFile } from "node:child_process";
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { packs } from "../src/packs.js";
import { folderOfTests } from "./support/folder.js";
import { root } from "./support/root.js";

const run = promisify(execFile);
const folder = folderOfTests("recount-packs");
const needed = [
  "bin",
  "data",
  "docs",
  "pipelines",
  "sql",
  "src",
  "tools",
  "package-lock.json",
  "package.json",
  "tsconfig.json",
];

function without(left: readonly string[], names: readonly string[] = needed): string {
  const copy = join(folder, left.join("-") || "whole");
  for (const name of names) cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const list = join(copy, "src/packs.ts");
  for (const pack of left) {
    for (const parent of ["src", "sql", "test"])
      rmSync(join(copy, parent, pack), { recursive: true, force: true });
    const text = readFileSync(list, "utf8");
    const entry = new RegExp(`^ {2}\\{\\n {4}name: "${pack}",\\n(?: {4}.*\\n)+ {2}\\},\\n`, "m");
    expect(text).toMatch(entry);
    writeFileSync(list, text.replace(entry, ""));
  }
  return copy;
}

/** What the demo says of the numbers, which is the same wherever it runs. A pack takes the checks of its models with it. */
async function demo(copy: string): Promise<string> {
  await run(process.execPath, ["tools/build.js"], { cwd: copy });
  const { stdout } = await run(process.execPath, ["bin/recount.js", "demo"], { cwd: copy });
  return stdout
    .slice(0, stdout.indexOf("\nData checks:"))
    .replaceAll(/\d{8}T\d{9}Z-[0-9a-f]{6}|[\d.]+ m?s\b/g, "…");
}

const removable = packs.map(({ name }) => name).filter((name) => name !== "emulator");

// The last test type-checks: no file of the core imports a pack (lint).
test.each(removable)(
  "without %s the core builds, and the demo prints the same",
  async (pack) => {
    const said = await demo(without([pack]));
    expect(said).toMatch(/\d+ exact/);
    expect(said).toBe(await whole());
  },
  600_000,
);

let remembered: Promise<string> | undefined;
const whole = () => (remembered ??= demo(without([])));

const rooms = [
  "audit",
  "client",
  "contract",
  "extract",
  "lake",
  "metrics",
  "pipeline",
  "platform",
  "report",
  "sql",
  "warehouse",
];

/** Tests of the core that need packs, each with the reason. */
const needPacks = {
  "audit/given.test.ts": "its boards are imported",
  "audit/named.test.ts": "its boards are imported",
  "audit/without-ratings.test.ts": "its boards are imported",
  "extract/secret-fields.test.ts": "one table for export and import",
  "lake/verify.test.ts": "one table for export and import",
  "platform/schema-check.test.ts": "its schemas are those of mappings too",
  "warehouse/describe-models.test.ts": "the docs have the models of every pack",
};

test("without any of them the core type-checks, and its tests pass", async () => {
  const others = ["test", "package-lock.json", "tsconfig.build.json", "vitest.config.ts"];
  const copy = without(removable, [...needed, ...others]);
  const config = JSON.stringify({ extends: "./tsconfig.json", include: ["src"] });
  writeFileSync(join(copy, "tsconfig.core.json"), config);
  const tsc = ["node_modules/typescript/bin/tsc", "-p", "tsconfig.core.json", "--noEmit"];
  await run(process.execPath, tsc, { cwd: copy });
  await run(process.execPath, ["tools/build.js"], { cwd: copy });
  for (const path of Object.keys(needPacks)) rmSync(join(copy, "test", path));
  const folders = rooms.map((room) => `test/${room}`);
  const vitest = ["node_modules/vitest/vitest.mjs", "run", ...folders];
  const env = { ...process.env, RECOUNT_TESTS: "default" };
  await run(process.execPath, vitest, { cwd: copy, env, maxBuffer: 2 ** 26 });
}, 1_200_000);
