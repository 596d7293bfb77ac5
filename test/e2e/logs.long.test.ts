import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { commandNames } from "../../src/commands/main.js";
import { recount } from "../support/command-line.js";
import { logged } from "../support/json-log.js";
import { testProject } from "../support/project.js";

const { env, path, recount: recountHere } = await testProject();

const [lake, pipeline] = [path("lake"), path("p.yaml")];
writeFileSync(pipeline, `lake: ${lake}\n`);
await recountHere(["run", pipeline, "-q"]);

/** Each command with arguments under which it ends with exit code 0 or with another. Null: the test says why. */
const given: Record<string, { ok: string[] | null; other: string[] }> = {
  // Writes into the working directory, and takes as long as several runs; it is `run` with an emulator.
  demo: { ok: null, other: ["--lake", "/proc/nowhere/lake"] },
  run: { ok: [pipeline], other: [pipeline, "--project", "Missing9"] },
  // Runs until it is stopped.
  schedule: { ok: null, other: [pipeline] },
  check: { ok: [pipeline], other: [pipeline, "--project", "Missing9"] },
  export: { ok: ["--lake", lake], other: ["--lake", lake, "--id", "Missing9"] },
  transform: { ok: ["--lake", lake], other: ["--lake", path("none")] },
  audit: { ok: ["--lake", lake], other: ["--lake", lake, "--snapshot", "none"] },
  report: {
    ok: ["--lake", lake, "-o", path("r.html")],
    other: ["--lake", path("none"), "-o", path("r.html")],
  },
  explain: { ok: ["exp1", "elo", "--lake", lake], other: ["exp1", "mean", "--lake", path("none")] },
  verify: { ok: ["--lake", lake], other: [pipeline] },
  snapshots: { ok: ["list", "--lake", lake], other: ["prune", "--lake", lake] },
  diff: { ok: ["--lake", lake], other: ["none", "--lake", lake] },
  status: { ok: ["--lake", lake], other: ["--lake", lake, "--max-age", "0"] },
  query: { ok: ["from ratings", "--lake", lake], other: ["from nowhere", "--lake", lake] },
  call: { ok: ["listExperiments"], other: ["getNothing"] },
  // Runs until it is stopped.
  serve: { ok: null, other: ["--load", "nowhere.json"] },
  import: { ok: null, other: [path("none.yaml")] },
  // Runs until its client leaves.
  mcp: { ok: null, other: ["--lake", path("none")] },
  openapi: { ok: [], other: ["--api-version", "1"] },
};

describe("with -q", () => {
  it("every command is tried", () => {
    expect(Object.keys(given).sort()).toEqual([...commandNames].sort());
  });

  it.each(Object.entries(given))(
    "%s says nothing at exit code 0, and one line otherwise",
    async (name, one) => {
      if (one.ok !== null)
        expect(await recountHere([name, ...one.ok, "-q"])).toEqual({
          code: 0,
          stdout: "",
          stderr: "",
        });
      const { code, stdout, stderr } = await recountHere([name, ...one.other, "-q"]);
      expect({ isOk: code === 0, stdout, stderr }).toEqual({
        isOk: false,
        stdout: "",
        stderr: expect.stringMatching(/^recount: (?!internal)[^\n]+\n$/) as string,
      });
    },
  );
});

describe("with --log-format json every line on standard error is a JSON object", () => {
  it("of an error that nobody caught and of a warning of Node, exit code 5", async () => {
    const preload = pathToFileURL(join(import.meta.dirname, "../support/planted-crash.mjs")).href;
    const planted = { ...env, NODE_OPTIONS: `--import=${preload}` };
    const { code, stderr } = await recount(["run", pipeline, "--log-format", "json"], planted);
    const lines = logged(stderr);
    expect(code).toBe(5);
    expect(lines.map(({ message }) => message)).toContain("Warning: planted warning");
    expect(lines.at(-1)).toMatchObject({
      ...{
        level: "error",
        exit_code: 5,
        message: "internal error: Error: planted error. Please report it.",
      },
      stack: expect.arrayContaining([expect.stringContaining("planted-crash.mjs")]) as string[],
    });
    const text = await recount(["run", pipeline], planted);
    expect(text.code).toBe(5);
    expect(text.stderr).toContain(
      "recount: internal error. Please report it with the lines below.\nError: planted error\n",
    );
  });
});
