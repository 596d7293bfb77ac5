import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { commands } from "../../src/commands/index.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { recount } from "../support/command-line.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { isWhole } from "../support/whole.js";

const dir = mkdtempSync(join(tmpdir(), "recount-logs-"));
const lake = join(dir, "lake");
const pipeline = join(dir, "p.yaml");
let service: RunningEmulator;
let env: Record<string, string>;
let project: string;

beforeAll(async () => {
  service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  project = service.projectId;
  env = { RECOUNT_BASE_URL: service.url, RECOUNT_PROJECT_ID: project, RECOUNT_API_KEY: service.apiKey };
  writeFileSync(pipeline, `lake: ${lake}\n`);
  // What each command reads, whichever of them the sample tries: a snapshot, and a recorded run.
  await recountHere(["run", pipeline, "-q"], env);
});
afterAll(async () => {
  await service.close();
  rmSync(dir, { recursive: true });
});

/** Each command with arguments under which it ends with exit code 0 or with another. Null: the test says why. */
const given: Record<string, { ok: string[] | null; other: string[] }> = {
  // Writes into the working directory, and takes as long as several runs; it is `run` with an emulator.
  demo: { ok: null, other: ["--lake", "/proc/nowhere/lake"] },
  run: { ok: [pipeline], other: [pipeline, "--project", "Missing9"] },
  // Runs until it is stopped.
  schedule: { ok: null, other: [pipeline] },
  check: { ok: [pipeline], other: [pipeline, "--project", "Missing9"] },
  export: { ok: ["--lake", lake], other: ["--lake", lake, "--id", "Missing9"] },
  transform: { ok: ["--lake", lake], other: ["--lake", join(dir, "none")] },
  audit: { ok: ["--lake", lake], other: ["--lake", lake, "--snapshot", "none"] },
  report: {
    ok: ["--lake", lake, "-o", join(dir, "r.html")],
    other: ["--lake", join(dir, "none"), "-o", join(dir, "r.html")],
  },
  explain: { ok: ["exp1", "elo", "--lake", lake], other: ["exp1", "mean", "--lake", join(dir, "none")] },
  verify: { ok: ["--lake", lake], other: [pipeline] },
  snapshots: { ok: ["list", "--lake", lake], other: ["prune", "--lake", lake] },
  du: { ok: ["--lake", lake], other: ["--lake", join(dir, "none")] },
  migrate: { ok: ["--lake", lake], other: ["--lake", join(dir, "none")] },
  diff: { ok: ["--lake", lake], other: ["none", "--lake", lake] },
  status: { ok: ["--lake", lake], other: ["--lake", lake, "--max-age", "0"] },
  query: { ok: ["from ratings", "--lake", lake], other: ["from nowhere", "--lake", lake] },
  // Needs DuckDB's shell, which these tests do not require.
  sql: { ok: null, other: ["--lake", join(dir, "none")] },
  call: { ok: ["listExperiments"], other: ["getNothing"] },
  // Runs until it is stopped.
  serve: { ok: null, other: ["--load", "nowhere.json"] },
  openapi: { ok: [], other: ["--api-version", "1"] },
  completion: { ok: ["bash"], other: ["tcsh"] },
};

describe("with -q", () => {
  it("every command is tried", () => {
    expect(Object.keys(given)).toEqual(commands.map(({ command }) => String(command).split(" ")[0]));
  });

  it.each(Object.entries(given).map(([name, one], i) => [name, one, isWhole("nights") || i % 2 === 0] as const))(
    "%s says nothing at exit code 0, and one line otherwise",
    async (name, { ok, other }, isTried) => {
      if (ok !== null && isTried)
        expect({ name, ...(await recountHere([name, ...ok, "-q"], env)) }).toEqual({
          name,
          code: 0,
          stdout: "",
          stderr: "",
        });
      const { code, stdout, stderr } = await recountHere([name, ...other, "-q"], env);
      expect({ name, isOk: code === 0, stdout, stderr }).toEqual({
        ...{ name, isOk: false, stdout: "" },
        stderr: expect.stringMatching(/^recount: (?!internal)[^\n]+\n$/) as string,
      });
    },
  );
});

/** The lines of a JSON log. Fails unless each has a time, a level and a message. */
function logged(stderr: string): Record<string, unknown>[] {
  const lines = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const line of lines)
    expect(line).toMatchObject({
      level: expect.stringMatching(/^(debug|info|warn|error)$/) as string,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      message: expect.stringMatching(/^(?!recount: )./) as string,
    });
  return lines;
}

describe("with --log-format json every line on standard error is a JSON object", () => {
  const json = (...args: string[]) => recountHere([...args, "--log-format", "json"], env);

  it("of a run with its identifier and project, the result last", async () => {
    const lines = logged((await json("run", pipeline)).stderr);
    const [{ run } = {}] = lines;
    expect(run).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{6}$/);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatchObject({ run, project });
    expect(lines.at(-1)).toMatchObject({
      level: "info",
      exit_code: 0,
      message: /^Published numbers: \d+: \d+ exact/,
    });
  });

  it("of a run that fails, the error last", async () => {
    const file = join(dir, "key");
    writeFileSync(file, "planted-wrong-key");
    const lines = logged((await json("run", pipeline, "--key-file", file)).stderr);
    expect(lines.at(-1)).toMatchObject({
      ...{ level: "error", project, run: lines[0]?.run, exit_code: 4 },
      message: expect.stringContaining("rejects the credentials") as string,
    });
  });

  it.runIf(isWhole("nights"))("of several projects, of an export and of a mistake", async () => {
    const many = join(dir, "many.yaml");
    writeFileSync(many, `lake: ${lake}\nprojects: [${project}, Missing9]\n`);
    const lines = logged((await json("run", many)).stderr);
    expect(lines).toContainEqual(expect.objectContaining({ level: "error", project: "Missing9", exit_code: 4 }));
    expect(lines.at(-1)).toMatchObject({
      level: "error",
      exit_code: 4,
      message: expect.stringMatching(/^1 of 2 projects/) as string,
    });
    const exported = logged((await json("export", "--lake", lake)).stderr);
    expect(exported.at(-1)).toMatchObject({ level: "info", project, exit_code: 0 });
    for (const args of [["run", "nowhere.yaml"], ["run", pipeline, "--nothing"], ["export", "--id", ""], ["nothing"]]) {
      const [line, ...rest] = logged((await json(...args)).stderr);
      expect({ line, rest }).toMatchObject({ line: { level: "error", exit_code: 4 }, rest: [] });
    }
  });

  it.runIf(isWhole("nights"))("of an error that nobody caught and of a warning of Node, exit code 5", async () => {
    const preload = pathToFileURL(join(import.meta.dirname, "../support/planted-crash.mjs")).href;
    const planted = { ...env, NODE_OPTIONS: `--import=${preload}` };
    const { code, stderr } = await recount(["run", pipeline, "--log-format", "json"], planted);
    const lines = logged(stderr);
    expect(code).toBe(5);
    expect(lines.map(({ message }) => message)).toContain("Warning: planted warning");
    expect(lines.at(-1)).toMatchObject({
      ...{ level: "error", exit_code: 5, message: "internal error: Error: planted error. Please report it." },
      stack: expect.arrayContaining([expect.stringContaining("planted-crash.mjs")]) as string[],
    });
    const text = await recount(["run", pipeline], planted);
    expect(text.code).toBe(5);
    expect(text.stderr).toContain(
      "recount: internal error. Please report it with the lines below.\nError: planted error\n",
    );
  });
});
