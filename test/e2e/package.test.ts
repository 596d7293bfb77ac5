import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isWhole } from "../support/whole.js";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const dir = mkdtempSync(join(tmpdir(), "recount-package-"));
const [installed, elsewhere] = [join(dir, "node_modules/recount"), join(dir, "elsewhere")];

describe.runIf(isWhole("examples"))("the packed package", () => {
  /** The package, installed where npm would put it, with this project's dependencies. */
  beforeAll(async () => {
    mkdirSync(elsewhere);
    const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", dir], {
      cwd: root,
      maxBuffer: 1 << 24,
    });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    mkdirSync(installed, { recursive: true });
    await run("tar", ["xzf", join(dir, filename), "--strip-components", "1"], { cwd: installed });
    const modules = join(root, "node_modules");
    for (const name of readdirSync(modules).filter((one) => !one.startsWith(".") && one !== "recount"))
      symlinkSync(join(modules, name), join(dir, "node_modules", name));
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  it("contains what it needs to run and no development files", () => {
    expect(readdirSync(installed).toSorted()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "bin",
        "data",
        "dist",
        "docs",
        "package.json",
        "pipelines",
        "sql",
      ].toSorted(),
    );
    expect(readdirSync(join(installed, "dist"))).not.toContain(".tsbuildinfo");
  });

  it("runs the demo twice when installed elsewhere, writing into the current folder and printing where", async () => {
    for (const snapshots of [1, 2]) {
      const { stdout } = await run(process.execPath, [join(installed, "bin/recount.js"), "demo"], {
        cwd: elsewhere,
        maxBuffer: 1 << 24,
      });
      expect(stdout).toContain(`--lake ${join(elsewhere, "recount-demo/lake")}`);
      expect(stdout).toContain("5896: 5856 exact, 40 explained");
      expect(readdirSync(elsewhere)).toEqual(["recount-demo"]);
      expect(readdirSync(join(elsewhere, "recount-demo")).toSorted()).toEqual([
        "audit.json",
        "lake",
        "report.html",
        "summary.json",
      ]);
      expect(readdirSync(join(elsewhere, "recount-demo/lake/Listen42/snapshots"))).toHaveLength(snapshots);
    }
    expect(readdirSync(installed)).not.toContain("recount-demo");
  });
});
