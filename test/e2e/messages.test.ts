import { once } from "node:events";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockProject } from "../../src/lake/index.js";
import { roomProblem } from "../../src/pipeline/check-project.js";
import { bin, startProcess } from "../support/command-line.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { goldenPaths } from "../support/golden-case.js";
import { goldenLake, goldenProject } from "../support/kept.js";
import { testProject } from "../support/project.js";
import { everyNth, isWhole } from "../support/whole.js";

const dir = folderOfTests("recount-messages");
const lake = await goldenLake("tiny-pairwise");

describe("a name of a person", () => {
  const first = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await recountHere([...args, "--lake", lake]);
    return { code, stdout, stderr: stderr.trimEnd() };
  };
  const snapshot = () => readdirSync(join(lake, goldenProject, "snapshots"))[0] ?? "";

  it.runIf(isWhole)("of a snapshot may be `latest` or a unique beginning", async () => {
    const query = ["query", "select count(*) as n from ratings", "--format", "csv", "--snapshot"];
    const whole = await first([...query, snapshot()]);
    expect(whole.code).toBe(0);
    for (const name of ["latest", snapshot().slice(0, 8)])
      expect(await first([...query, name])).toEqual(whole);
    expect((await first(["verify", "--snapshot", snapshot().slice(0, 12)])).code).toBe(0);
  });

  it("of a snapshot, project or file that is not there is one line with what is", async () => {
    const mistyped = snapshot().replace(/^../, "19");
    const query = ["query", "from ratings"];
    for (const [args, line] of [
      [
        [...query, "--snapshot", mistyped],
        `Did you mean ${snapshot()}? The newest: ${snapshot()}, or write latest.`,
      ],
      [["verify", "--snapshot", "x"], `has no snapshot "x". The newest: ${snapshot()}`],
      [
        [...query, "--project", "Listen43"],
        `no snapshot of Listen43 in this lake. It has ${goldenProject}. Did you`,
      ],
      [["query", "-f", join(dir, "none.sql")], "none.sql, cannot be read (ENOENT). Check --file."],
      [["query", "-f", dir], "cannot be read (EISDIR). Check --file."],
      [
        ["query", "-f", "/dev/zero"],
        "/dev/zero, is larger than 16 MiB, the maximum. Pass a file of SQL, for example",
      ],
      [["query", "-f", "x".repeat(15_000)], "cannot be read (ENAMETOOLONG). Check --file."],
    ] as const) {
      const { code, stderr } = await first(args);
      expect(stderr).toContain(line);
      expect(stderr.length).toBeLessThan(1000);
      expect({ code, lines: stderr.split("\n").length }).toEqual({ code: 4, lines: 1 });
    }
  });
});

describe("a folder that is no lake", () => {
  const nearby = [
    ["of a project", join(lake, goldenProject), lake],
    ["of a project's snapshots", join(lake, goldenProject, "snapshots"), lake],
  ] as const;
  const commands = ["audit", "query x", "snapshots list", "verify", "status", "report"];
  it.each(everyNth(commands, 3))("is named with the lake that was meant: %s", async (command) => {
    for (const [, folder, meant] of nearby)
      expect(await recountHere([...command.split(" "), "--lake", folder])).toEqual({
        code: 4,
        stdout: "",
        stderr: `recount: ${folder} is inside a lake: write --lake ${meant} --project ${goldenProject}.\n`,
      });
    const folder = folderOfTests("recount-above");
    cpSync(lake, join(folder, "lake"), { recursive: true });
    const { code, stderr } = await recountHere([...command.split(" "), "--lake", folder]);
    expect(code).toBe(4);
    expect(stderr).toContain(`Its folder lake is one: write --lake ${join(folder, "lake")}.`);
  });

  it("gets no new snapshot", async () => {
    await expect(lockProject(join(lake, goldenProject), "other")).rejects.toThrow(
      `is inside a lake: write --lake ${lake} --project ${goldenProject}.`,
    );
    expect(readdirSync(join(lake, goldenProject))).not.toContain("other");
  });
});

describe("a file that a command writes", () => {
  it.runIf(isWhole)("is named, with why the exit code is not 0", async () => {
    const answer = join(dir, "answer.csv");
    expect(await recountHere(["query", "select 1 as one", "-o", answer, "--lake", lake])).toEqual({
      code: 0,
      stdout: `Wrote ${answer}, 6 B\n`,
      stderr: "",
    });
    const page = join(dir, "page.html");
    const right = await recountHere(["report", "-o", page, "--lake", lake]);
    expect(right).toEqual({ code: 0, stdout: `Wrote ${page}\n`, stderr: "" });
    const damaged = { damage: "add", item: "A", field: "value", by: 12.5 } as const;
    const { recount } = await testProject({
      load: goldenPaths("tiny-pairwise"),
      publishing: [{ kinds: ["percent_chosen"], corruption: damaged }],
    });
    const wrong = join(dir, "wrong");
    expect((await recount(["export", "--lake", wrong])).code).toBe(0);
    const { code, stdout } = await recount(["report", "-o", page, "--lake", wrong]);
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^Wrote \S+\nExit code 1 \(unexplained\): see the page\. Published numbers: .*\n$/,
    );
  });
});

it("Ctrl-C in a command that nothing else ends is one line, and ends it as a signal", async () => {
  const { child, ended } = startProcess([bin, "query", "-f", "-", "--lake", lake]);
  // What does not fit into a pipe is taken by a process that reads the query: it has started.
  if (!child.stdin.write(" ".repeat(1 << 20))) await once(child.stdin, "drain");
  child.kill("SIGINT");
  expect((await ended).stderr).toBe(
    "recount: Interrupted before it finished. Run the command again.\n",
  );
  expect(child.signalCode).toBe("SIGINT");
});

describe("a mistake in SQL", () => {
  const query = async (sql: string, ...rest: string[]) =>
    recountHere(["query", sql, ...rest, "--lake", lake]);

  it("is shown with the engine's line and caret", async () => {
    const { stderr } = await query("select experiment_id,\n  nothing\nfrom ratings");
    expect(stderr.split("\n").slice(1)).toEqual(["LINE 2:   nothing", "          ^", ""]);
  });

  it("is not silent about an answer that would be lost", async () => {
    const { code, stderr } = await query("select 1; select 2");
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr:
        "recount: The query failed: statement 1 of 2 is a query, and only the last one's rows are shown. Run it by itself\n",
    });
    expect((await query("create table t as select 1 as one; from t", "--format", "csv")).code).toBe(
      4,
    );
    expect((await query("create table t as select 1 as one; from t")).code).toBe(0);
  });
});

it.each([
  [31 * 2 ** 20, 0, /^\/x has 32\.5 MB free, and a run may need 33\.6 MB/],
  [33 * 2 ** 20, 0, null],
  [62 * 2 ** 20, 10 * 2 ** 20, null],
  [60 * 2 ** 20, 10 * 2 ** 20, /may need/],
])("%d bytes free are judged for a run of %d bytes", (free, exported, said) => {
  const problem = roomProblem("/x", free, exported);
  if (said === null) expect(problem).toBeNull();
  else expect(problem).toMatch(said);
});
