import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { startEmulator } from "../../src/emulator/index.js";
import { noteRun, readRuns, type RunLine } from "../../src/lake/index.js";
import { projectStatus } from "../../src/report/index.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";

const dir = mkdtempSync(join(tmpdir(), "recount-status-"));
const lake = join(dir, "lake");
const emulator = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
afterAll(async () => {
  await emulator.close();
  rmSync(dir, { recursive: true });
});

cpSync(join(import.meta.dirname, "../../pipelines"), join(dir, "pipelines"), { recursive: true });
const pipeline = join(dir, "pipelines/nightly.yaml");
appendFileSync(pipeline, "  metrics: ../reports/recount.prom\n");

const connection = ["--base-url", emulator.url, "--project", emulator.projectId];
const run = (key = emulator.apiKey, args: readonly string[] = []) =>
  recountHere(["run", pipeline, ...connection, "--lake", lake, "-q", ...args], { RECOUNT_API_KEY: key });
const summary = () => JSON.parse(readFileSync(join(dir, "reports/summary.json"), "utf8")) as Record<string, unknown>;
const metrics = () => readFileSync(join(dir, "reports/recount.prom"), "utf8");
const status = (...args: string[]) => recountHere(["status", "--lake", lake, ...args]);

it("a run that succeeds says nothing with -q, and is recorded", async () => {
  expect(await run()).toEqual({ code: 0, stdout: "", stderr: "" });
  expect(summary()).toMatchObject({
    ...{ project: emulator.projectId, exit_code: 0, error: null, export: { is_whole: true }, audit: {} },
    run: expect.stringMatching(/^\d{8}T\d{6}Z-[0-9a-f]{6}$/) as string,
    versions: { node: process.versions.node },
  });
  expect(summary().last_success_at).toBe(summary().ended_at);
  expect(metrics()).toMatch(/^recount_run_exit_code\{project="\w+"\} 0$/m);
  expect(metrics()).toMatch(/^recount_published_numbers\{project="\w+",verdict="exact"\} [1-9]\d*$/m);
  const { code, stdout } = await status("--max-age", "24");
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^${emulator.projectId}: the last run succeeded, .*Z\\.\n\nstarted +took`));
});

it("a run that fails replaces the summary of the run before, and is one line with -q", async () => {
  const before = summary();
  const { code, stdout, stderr } = await run("planted-wrong-key");
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(stderr).toMatch(/^recount: .* rejects the credentials \(401\)[^\n]*\n$/);
  expect(summary()).toMatchObject({ exit_code: 4, error: stderr.slice("recount: ".length, -1), snapshot: null });
  expect(summary()).toMatchObject({ last_success_at: before.ended_at });
  expect(metrics()).toMatch(/^recount_run_exit_code\{project="\w+"\} 4$/m);
  expect(metrics()).not.toContain("recount_snapshot_rows{");
  expect(readFileSync(join(lake, emulator.projectId, "runs.jsonl"), "utf8")).not.toContain("planted");
  const said = await status();
  expect(said.code).toBe(2);
  expect(said.stdout).toContain(`${emulator.projectId}: the last run ended with 4: `);
});

it("a run whose results need a person is one line with -q", async () => {
  emulator.faults.set([{ operation: "listSessions", fault: { kind: "wrong_type", row: 0, field: "job_id" } }]);
  const { code, stdout, stderr } = await run();
  emulator.faults.set([]);
  expect({ code, stdout, stderr }).toEqual({
    ...{ code: 2, stdout: "" },
    stderr: expect.stringMatching(
      /^recount: Published numbers: [^\n]* The snapshot is not whole: 1 row in quarantine\.\n$/,
    ) as string,
  });
  expect(summary()).toMatchObject({ exit_code: 2, error: null, export: { is_whole: false } });
});

it("a run without a key is recorded too", async () => {
  const { code, stderr } = await recountHere(["run", pipeline, ...connection, "--lake", lake]);
  expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringMatching(/^recount: No API key/) as string });
  expect(summary()).toMatchObject({ project: emulator.projectId, exit_code: 4 });
  expect(summary()).not.toHaveProperty("export");
});

it("a run that was killed never ended, and a line that it cut hides no other", async () => {
  const own = join(dir, "killed");
  const line: RunLine = {
    ...{ run: "r1", started_at: "2026-01-01T00:00:00.000Z", ended_at: "2026-01-01T00:01:00.000Z", exit_code: 0 },
    ...{ error: null, snapshot: "s1", rows: 1, bytes: 2, numbers: { exact: 3 } },
  };
  await noteRun(own, "P1", line);
  appendFileSync(join(own, "P1/runs.jsonl"), '\n{"run":"r2","started');
  await noteRun(own, "P1", { ...line, run: "r3", ended_at: null, exit_code: null });
  expect((await readRuns(own, "P1")).map((one) => one.run)).toEqual(["r1", "r3"]);
  const { code, stdout } = await recountHere(["status", "--lake", own, "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      project: "P1",
      problem: "the last run never ended: it is in progress, or was killed",
      last_success_at: line.ended_at,
    },
  ]);
});

it.each([
  ["26 hours after a success it is fine", "2026-01-02T02:00:00Z", null],
  ["27 hours after it is stale", "2026-01-02T03:01:00Z", "stale: the last success is 27.0 hours old"],
  ["12 days after it is stale", "2026-01-13T01:00:00Z", "stale: the last success is 12 days old"],
])("%s, at an age of 26 hours", (_, now, problem) => {
  const line = {
    ...{ run: "r1", started_at: "2026-01-01T00:00:00Z", ended_at: "2026-01-01T00:01:00Z", exit_code: 0, error: null },
    ...{ snapshot: "s1", rows: 1, bytes: 2, numbers: {} },
  };
  expect(projectStatus("P1", [line], new Date(now), 26 * 3_600_000).problem).toBe(problem);
});

it("a lake without runs, or without those of a project, is a mistake", async () => {
  const none = await recountHere(["status", "--lake", join(dir, "none")]);
  expect(none).toMatchObject({ code: 4, stderr: expect.stringMatching(/: no run is recorded/) as string });
  const other = await status("--project", "P9");
  expect(other).toMatchObject({ code: 4, stderr: expect.stringMatching(/: no run of P9 is recorded/) as string });
});
