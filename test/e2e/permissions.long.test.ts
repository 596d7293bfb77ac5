import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bin, type Outcome } from "../support/command-line.js";
import { goldenLake } from "../support/kept.js";
import { testProject } from "../support/project.js";
import { isWhole } from "../support/whole.js";

const nobody = 65534;
const { folder: dir, path, recount, service } = await testProject();
const template = path("template");
cpSync(await goldenLake("tiny-pairwise"), template, { recursive: true });

const within = (folder: string) =>
  ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })].map((name) =>
    join(folder, name),
  );

/** Runs a command as a user for whom permissions count: root, who may do everything, becomes nobody for that time. */
async function asUser(args: readonly string[]): Promise<Outcome> {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) {
    for (const path of [dir, ...within(dir)]) chownSync(path, nobody, nobody);
    process.setegid?.(nobody);
    process.seteuid?.(nobody);
  }
  try {
    return await recount(args);
  } finally {
    if (isRoot) {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  }
}

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
    ["prune, a read-only folder", folders, 0o555, ["snapshots", "prune", "--keep-last", "1"]],
  ])(
    "%s: one line that names the file, exit 3",
    async (_, pattern, mode, [command = "", ...rest]) => {
      const lake = lakeWith(pattern, mode);
      const { code, stderr } = await asUser([command, ...rest, "--lake", lake]);
      expect(stderr.trim().split("\n")).toEqual([
        expect.stringMatching(/^recount: (?!internal).*[Pp]ermission/),
      ]);
      expect(stderr).toContain(lake);
      expect(code).toBe(3);
    },
  );

  it.runIf(isWhole)("can be read if it is read-only", async () => {
    const lake = lakeWith(folders, 0o555);
    expect(await asUser(["audit", "--lake", lake])).toMatchObject({ code: 0, stderr: "" });
    expect(await asUser(["verify", "--lake", lake])).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("an output that cannot be written", () => {
  const lake = join(dir, "never");
  const pipeline = join(dir, "pipeline.yaml");
  const outputOfRun = (out: string) => {
    writeFileSync(pipeline, JSON.stringify({ lake, outputs: { audit: out } }));
    return ["run", pipeline, "--quiet"];
  };
  const commands: readonly [string, (out: string) => string[]][] = [
    ["audit --json", (out) => ["audit", "--lake", template, "--json", out]],
    ["audit --bundle", (out) => ["audit", "--lake", template, "--bundle", out]],
    [
      "query -o",
      (out) => ["query", "from ratings", "--lake", template, "--format", "csv", "-o", out],
    ],
    ["run", outputOfRun],
  ];

  it.each(commands)("%s: a folder is refused before the work, in one line", async (_, args) => {
    const { code, stdout, stderr } = await recount(args(dir));
    expect({ code, stdout, stderr }).toEqual({
      code: 4,
      stdout: "",
      stderr: `recount: ${dir} is a folder. Name a file in it.\n`,
    });
    expect(existsSync(join(lake, service.projectId, "snapshots"))).toBe(false);
  });
});

it.skipIf(process.platform === "win32")(
  "a process with too few open files ends with one line, exit 3",
  () => {
    const audit = (limit: number) =>
      spawnSync(
        "sh",
        [
          "-c",
          `ulimit -n ${limit}; exec "$0" "$@"`,
          process.execPath,
          bin,
          "audit",
          "--lake",
          template,
        ],
        {
          encoding: "utf8",
        },
      );
    // With the lowest limits Node itself does not start, before it has read anything of dist.
    const ends = [18, 20, 22, 24, 26, 28]
      .map(audit)
      .filter(({ stderr }) => /dist\/(cli|chunks)|^recount: /m.test(stderr));
    expect(ends.length).toBeGreaterThan(0);
    for (const { status, stderr } of ends) {
      expect(stderr.trim().split("\n")).toEqual([
        expect.stringMatching(/^recount: .*`ulimit -n 1024`/),
      ]);
      expect(status).toBe(3);
    }
  },
);
