import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { roomProblem } from "../../src/pipeline/check-project.js";
import { recount } from "../support/command-line.js";
import { folderOfTests } from "../support/folder.js";
import { recountHere } from "../support/in-process.js";
import { goldenLake, goldenProject } from "../support/kept.js";
import { isWhole } from "../support/whole.js";

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
    for (const name of ["latest", snapshot().slice(0, 8)]) expect(await first([...query, name])).toEqual(whole);
    expect((await first(["verify", "--snapshot", snapshot().slice(0, 12)])).code).toBe(0);
  });

  it("of a snapshot, project or file that is not there is one line with what is", async () => {
    const mistyped = snapshot().replace(/^../, "19");
    const query = ["query", "from ratings"];
    for (const [args, line] of [
      [[...query, "--snapshot", mistyped], `Did you mean ${snapshot()}? The newest: ${snapshot()}, or write latest.`],
      [["verify", "--snapshot", "x"], `has no snapshot "x". The newest: ${snapshot()}`],
      [[...query, "--project", "Listen43"], `no snapshot of Listen43 in this lake. It has ${goldenProject}. Did you`],
      [["query", "-f", join(dir, "none.sql")], "none.sql, cannot be read (ENOENT). Check --file."],
      [["query", "-f", dir], "cannot be read (EISDIR). Check --file."],
      [["query", "-f", "/dev/zero"], "/dev/zero, is larger than 16 MiB, the maximum. Pass a file of SQL, for example"],
      [["query", "-f", "x".repeat(15_000)], "cannot be read (ENAMETOOLONG). Check --file."],
    ] as const) {
      const { code, stderr } = await first(args);
      expect(stderr).toContain(line);
      expect(stderr.length).toBeLessThan(1000);
      expect({ code, lines: stderr.split("\n").length }).toEqual({ code: 4, lines: 1 });
    }
  });

  it("of a lake that is a link to nothing is one line", async () => {
    const link = join(dir, "dangling");
    symlinkSync(join(dir, "nothing"), link);
    const { code, stderr } = await recountHere(
      ["export", "--base-url", "http://127.0.0.1:1", "--project", "P1", "--lake", link],
      { RECOUNT_API_KEY: "k" },
    );
    expect(stderr).toMatch(/^recount: .*dangling(.*: | )is a file, or a link that leads nowhere.*\n$/);
    expect([3, 4]).toContain(code);
  });
});

describe("a mistake in SQL", () => {
  const query = async (sql: string, ...rest: string[]) => recountHere(["query", sql, ...rest, "--lake", lake]);

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
    expect((await query("create table t as select 1 as one; from t", "--format", "csv")).code).toBe(4);
    expect((await query("create table t as select 1 as one; from t")).code).toBe(0);
  });

  it("is not hidden in a text that it computes", async () => {
    const { code, stderr } = await query(
      "select '--', * from query('from enable' || '_logging(storage = ''stdout'')')",
    );
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining("enable_logging() is not allowed") as string,
    });
    expect((await query("from query /* */ ('select 1')")).code).toBe(0);
  });
});

describe("help and version", () => {
  it.runIf(isWhole)("have the spellings that people try", async () => {
    const [help, audit] = [await recount(["--help"]), await recount(["audit", "--help"])];
    expect(help.stdout).toContain("recount <command>");
    expect(await recount(["-h"])).toEqual(help);
    expect(await recount(["help", "audit"])).toEqual(audit);
    expect((await recount(["-v"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it("a missing argument is named", async () => {
    expect(await recountHere(["run"])).toMatchObject({
      code: 4,
      stderr: "recount: An argument is missing: write `recount run <file>`. `recount run --help` has an example.\n",
    });
  });
});

it("warnings of Node are a line of the log", async () => {
  const late = 'process.once("beforeExit", () => process.emitWarning("planted", "PlantedWarning"))';
  const NODE_OPTIONS = `--import "data:text/javascript,${encodeURIComponent(late)}"`;
  expect((await recount(["openapi"], { NODE_OPTIONS })).stderr).toBe("warn: PlantedWarning: planted\n");
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
