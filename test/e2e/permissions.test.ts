import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { bin, type Outcome } from "../support/command-line.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";

const nobody = 65534;
const dir = mkdtempSync(join(tmpdir(), "recount-permissions-"));
const template = join(dir, "template");
let service: RunningEmulator;
let env: Record<string, string>;

beforeAll(async () => {
  service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  env = { RECOUNT_BASE_URL: service.url, RECOUNT_PROJECT_ID: service.projectId, RECOUNT_API_KEY: service.apiKey };
  await exportTo(template, service);
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

const within = (folder: string) =>
  ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].map((name) => join(folder, name));

/** Runs a command as a user for whom permissions count: root, who may do everything, becomes nobody for that time. */
async function asUser(args: readonly string[]): Promise<Outcome> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    for (const path of [dir, ...within(dir)]) chownSync(path, nobody, nobody);
    process.setegid?.(nobody);
    process.seteuid?.(nobody);
  }
  try {
    return await recountHere(args, env);
  } finally {
    if (isRoot) {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  }
}

/** A copy of the lake, of which the paths that match lose permissions. */
function lakeWith(pattern: RegExp, mode: number): string {
  const lake = mkdtempSync(join(dir, "lake-"));
  cpSync(template, lake, { recursive: true });
  for (const path of within(lake).reverse())
    if (pattern.test(path)) chmodSync(path, mode & (statSync(path).mode | 0o7));
  return lake;
}

const folders = /lake-[^/]*(\/[^.]*)?$/;

describe.skipIf(process.platform === "win32")("a lake without permissions", () => {
  it.each<[string, RegExp, number, string[]]>([
    ["audit, an unreadable part", /ratings\.parquet$/, 0o000, ["audit"]],
    ["query, an unreadable part", /ratings\.parquet$/, 0o000, ["query", "from ratings"]],
    ["audit, an unreadable manifest", /manifest\.json$/, 0o000, ["audit"]],
    ["audit, an unreadable folder", /lake-[^/]*$/, 0o000, ["audit"]],
    ["snapshots, an unreadable folder", /lake-[^/]*$/, 0o000, ["snapshots", "list"]],
    ["verify, an unreadable folder", /snapshots$/, 0o000, ["verify"]],
    ["export, a read-only folder", folders, 0o555, ["export", "--quiet"]],
    ["transform, a read-only folder", folders, 0o555, ["transform"]],
    ["prune, a read-only folder", folders, 0o555, ["snapshots", "prune", "--keep", "1"]],
  ])("%s: one line that names the file, exit 3", async (_, pattern, mode, [command = "", ...rest]) => {
    const lake = lakeWith(pattern, mode);
    const { code, stderr } = await asUser([command, ...rest, "--lake", lake]);
    expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(/^recount: (?!internal).*[Pp]ermission/)]);
    expect(stderr).toContain(lake);
    expect(code).toBe(3);
  });

  it("can be read if it is read-only", async () => {
    const lake = lakeWith(folders, 0o555);
    expect(await asUser(["audit", "--lake", lake])).toMatchObject({ code: 0, stderr: "" });
    expect(await asUser(["verify", "--lake", lake])).toMatchObject({ code: 0, stderr: "" });
  });

  it("an output that cannot be written is one line, exit 3", async () => {
    const lake = lakeWith(folders, 0o555);
    for (const format of ["csv", "table", "arrow"]) {
      const out = join(lake, "out");
      const { code, stderr } = await asUser(["query", "select 1", "--lake", lake, "--format", format, "-o", out]);
      expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(/^recount: .*permission denied/i)]);
      expect(code).toBe(3);
    }
  });
});

describe("an output that cannot be written", () => {
  const lake = join(dir, "never");
  const pipeline = join(dir, "pipeline.yaml");
  const commands: readonly [string, (out: string) => string[]][] = [
    ["audit --json", (out) => ["audit", "--lake", template, "--json", out]],
    ["audit --bundle", (out) => ["audit", "--lake", template, "--bundle", out]],
    ["query -o", (out) => ["query", "from ratings", "--lake", template, "--format", "csv", "-o", out]],
    [
      "run",
      (out) => {
        writeFileSync(pipeline, JSON.stringify({ lake, outputs: { audit: out } }));
        return ["run", pipeline, "--quiet"];
      },
    ],
  ];

  it.each(commands)("%s: a folder is refused before the work, in one line", async (_, args) => {
    const { code, stdout, stderr } = await recountHere(args(dir), env);
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: "",
      stderr: `recount: ${dir} is a folder. Name a file in it.\n`,
    });
    expect(existsSync(join(lake, service.projectId, "snapshots"))).toBe(false);
  });

  it.skipIf(process.platform !== "linux").each(commands)(
    "%s: a path where nothing can be made is refused before the work, in one line",
    async (_, args) => {
      const { code, stdout, stderr } = await recountHere(args("/proc/recount/out"), env);
      expect({ code, stdout, stderr }).toEqual({
        code: 3,
        stdout: "",
        stderr: "recount: ENOENT: no such file or directory, mkdir '/proc/recount'. Check the path.\n",
      });
      expect(existsSync(join(lake, service.projectId, "snapshots"))).toBe(false);
    },
  );
});

it.skipIf(process.platform === "win32")("a process with too few open files ends with one line, exit 3", () => {
  // Node itself needs 21 from version 22 on, and with that 28 are enough for a small lake.
  for (const limit of [24, 25]) {
    const command = `ulimit -n ${limit}; exec "$0" "$@"`;
    const args = ["-c", command, process.execPath, bin, "audit", "--lake", template];
    const { status, stderr } = spawnSync("sh", args, { encoding: "utf8" });
    expect(stderr.trim().split("\n")).toEqual([expect.stringMatching(/^recount: .*`ulimit -n 1024`/)]);
    expect(status).toBe(3);
  }
});
