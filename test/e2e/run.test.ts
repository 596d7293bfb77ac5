import { appendFileSync, cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { noteRun, readRuns, type RunLine } from "../../src/lake/index.js";
import { projectStatus } from "../../src/report/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { recountHere } from "../support/in-process.js";
import { logged } from "../support/json-log.js";
import { noticeReceiver } from "../support/notice-receiver.js";
import { auditedTables, testProject } from "../support/project.js";
import { isWhole } from "../support/whole.js";
import { root } from "../support/root.js";

const project = await testProject();
const { service, flags, path } = project;
const lake = path("lake");

const [failure, unexplained, success] = [
  await noticeReceiver(() => 200),
  await noticeReceiver(() => 200),
  await noticeReceiver(() => 200),
];
afterAll(() => Promise.all([failure, unexplained, success].map((server) => server.close())));

cpSync(join(root, "pipelines"), path("pipelines"), { recursive: true });
const pipeline = path("pipelines/nightly.yaml");
appendFileSync(
  pipeline,
  `  metrics: ../reports/recount.prom
on_failure: { url: "${failure.url}/x" }
on_unexplained: { url: "${unexplained.url}/x" }
on_success: { url: "${success.url}/x" }
`,
);

const run = (args: readonly string[], key = service.apiKey) =>
  recountHere(["run", pipeline, ...flags, "--lake", lake, ...args], { RECOUNT_API_KEY: key });
const wrongKey = "planted-wrong-key";

const read = (name: string) => readFileSync(path(`reports/${name}`), "utf8");
const summary = () => JSON.parse(read("summary.json")) as Record<string, unknown>;
const status = (...args: string[]) => recountHere(["status", "--lake", lake, ...args]);

async function withBadRow<T>(task: () => Promise<T>): Promise<T> {
  service.faults.set([
    { operation: "listSessions", fault: { kind: "wrong_type", row: 0, field: "job_id" } },
  ]);
  return task().finally(() => service.faults.set([]));
}

describe("a run that succeeds", async () => {
  const { code, stderr } = await run(["--log-format", "json"]);

  it("logs JSON: every line of a run with its identifier and project, the result last", () => {
    expect(code).toBe(0);
    const lines = logged(stderr);
    const [{ run } = {}] = lines;
    expect(run).toMatch(/^\d{8}T\d{6}Z-[0-9a-f]{6}$/);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatchObject({ run, project: service.projectId });
    expect(lines.at(-1)).toMatchObject({
      level: "info",
      exit_code: 0,
      message: expect.stringMatching(/^Published numbers: [\d,]+ \([\d,]+ exact/) as string,
    });
  });

  it("is recorded in the summary, the measurements, the lake and a notice", async () => {
    const { ended_at, run, ...rest } = summary();
    expect(rest).toMatchObject({
      project: service.projectId,
      exit_code: 0,
      error: null,
      export: { is_whole: true },
      audit: {},
      last_success_at: ended_at,
      versions: { node: process.versions.node },
    });
    expect(read("recount.prom")).toMatch(/^recount_run_exit_code\{project="\w+"\} 0$/m);
    expect(read("recount.prom")).toMatch(
      /^recount_published_numbers\{project="\w+",verdict="exact"\} [1-9]\d*$/m,
    );
    expect(success.received).toMatchObject([{ run, exit_code: 0, export: { is_whole: true } }]);
    const said = await status("--max-age", "24");
    expect(said.code).toBe(0);
    expect(said.stdout).toMatch(
      new RegExp(`^${service.projectId}: the last run succeeded, .*Z\\.\n\nstarted +took`),
    );
  });
});

it("a run that fails replaces the summary of the run before, and is one line with -q", async () => {
  const before = summary();
  const { code, stdout, stderr } = await run(["-q"], wrongKey);
  expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
  expect(stderr).toMatch(/^recount: .* rejects the credentials \(401\)[^\n]*\n$/);
  expect(summary()).toMatchObject({
    exit_code: 4,
    error: stderr.slice("recount: ".length, -1),
    snapshot: null,
    last_success_at: before.ended_at,
  });
  expect(read("recount.prom")).toMatch(/^recount_run_exit_code\{project="\w+"\} 4$/m);
  expect(read("recount.prom")).not.toContain("recount_snapshot_rows{");
  expect(failure.received).toEqual([summary()]);
  expect(failure.keys).toEqual([summary().run]);
  const recorded = readFileSync(join(lake, service.projectId, "runs.jsonl"), "utf8");
  expect(recorded).not.toContain("planted");
  expect(await status()).toMatchObject({
    code: 2,
    stdout: expect.stringContaining(`${service.projectId}: the last run ended with 4: `) as string,
  });
});

it.runIf(isWhole)(
  "an export or a run of a snapshot that is not whole exits with 2 and says why",
  async () => {
    const line = "The snapshot is incomplete: 1 row in quarantine.\n";
    const night = await withBadRow(() => run([]));
    const both = line.replace(".", ", 1 violation of the data's rules.");
    expect(night).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`warn: ${both}`) as string,
    });
    expect(night.stdout).toContain(`\n${both}`);
    expect(summary()).toMatchObject({
      exit_code: 2,
      error: null,
      export: { is_whole: false, shortfalls: [{ kind: "quarantined" }, { kind: "checks" }] },
    });
    expect(unexplained.received).toMatchObject([{ exit_code: 2 }]);
    const other = ["--lake", path("other")];
    expect(
      await withBadRow(() => project.recount(["export", "-q", "--table", "sessions", ...other])),
    ).toEqual({
      code: 2,
      stdout: "",
      stderr: `recount: ${line}`,
    });
    expect((await recountHere(["snapshots", "list", ...other])).stdout).toMatch(
      /shortfalls[^]* 1 +1 +\d+ +[\d.]+ kB/,
    );
  },
);

it.runIf(isWhole)(
  "a run whose data break a rule that a check of severity error states is not whole",
  async () => {
    const file = path("rules.yaml");
    writeFileSync(file, `lake: rules\ntables: [${auditedTables.join()}]\n`);
    service.faults.set([
      { operation: "listRatings", fault: { kind: "other", field: "stimulus_id", text: "7" } },
    ]);
    const { code, stderr } = await project.recount(["run", file]);
    service.faults.set([]);
    const again = await recountHere(["transform", "--lake", path("rules"), "-q"]);
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^recount: The snapshot is incomplete/) as string,
    });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(
        /The snapshot is incomplete: \d+ violations of the data's rules/,
      ) as string,
    });
  },
);

it.runIf(isWhole && process.platform === "linux")(
  "a run that fails after its snapshot is current says so, and records the snapshot",
  async () => {
    const file = path("full.yaml");
    writeFileSync(
      file,
      `lake: full\ntables: [${auditedTables.join()}]\noutputs: { junit: /dev/full }\n`,
    );
    const { code, stderr } = await project.recount(["run", file]);
    const current = readFileSync(path(`full/${service.projectId}/current`), "utf8").trim();
    const says = `Free some space. The new snapshot, ${current}, is complete and current.\n`;
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(says) as string });
    expect(stderr.split("Exported")).toMatchObject([{}, expect.stringContaining(current)]);
    expect(await readRuns(path("full"), service.projectId)).toMatchObject([
      { exit_code: 3, snapshot: current },
    ]);
  },
);

it.runIf(isWhole)(
  "a run stops when a list shrinks beyond its limit, and continues with --allow-shrink, silent with -q",
  async () => {
    const file = path("shrink.yaml");
    writeFileSync(
      file,
      `lake: shrunk
tables: [${auditedTables.join()}]
export: { max_shrink: 0 }
conventions: { elo: { k: 24 } }
outputs: { bundle: out/evidence.zip }
`,
    );
    service.faults.set([{ operation: "listRatings", fault: { kind: "double_row", row: 0 } }]);
    await exportTo(path("shrunk"), service, { tables: auditedTables });
    service.faults.set([]);
    expect(await project.recount(["run", file])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /recount: listRatings of \w+ has \d+ elements.*run again with --allow-shrink\.\n$/,
      ) as string,
    });
    expect(await project.recount(["run", file, "--allow-shrink", "-q"])).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  },
);

const ended: RunLine = {
  run: "r1",
  started_at: "2026-01-01T00:00:00Z",
  ended_at: "2026-01-01T00:01:00Z",
  exit_code: 0,
  error: null,
  snapshot: "s1",
  rows: 1,
  bytes: 2,
  numbers: { exact: 3 },
};

it("a run that was killed never ended, and a line that it cut hides no other", async () => {
  const own = path("killed");
  await noteRun(own, "P1", ended);
  appendFileSync(join(own, "P1/runs.jsonl"), '\n{"run":"r2","started');
  await noteRun(own, "P1", { ...ended, run: "r3", ended_at: null, exit_code: null });
  expect((await readRuns(own, "P1")).map(({ run }) => run)).toEqual(["r1", "r3"]);
  const { code, stdout } = await recountHere(["status", "--lake", own, "--json"]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      project: "P1",
      problem: "the last run never ended: it is in progress, or was killed",
      last_success_at: ended.ended_at,
    },
  ]);
});

it("what a clock ahead has recorded is left out of status and metrics, with a warning", async () => {
  const own = path("ahead");
  const future = {
    ...ended,
    run: "r9",
    started_at: "2099-01-01T00:00:00Z",
    ended_at: "2099-01-01T00:01:00Z",
  };
  const line = "1 run recorded by a clock ahead, from 2099-01-01T00:00:00Z";
  for (const run of [ended, future]) await noteRun(own, service.projectId, run);
  // A line without an end, or with one that is no instant, has no duration.
  for (const ended_at of ['"ended_at":"x",', ""])
    appendFileSync(
      join(own, service.projectId, "runs.jsonl"),
      `{${ended_at}"run":"r2","started_at":"2026-01-01T00:00:00Z"}\n`,
    );
  const said = await recountHere(["status", "--lake", own, "--max-age", "26"]);
  expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining(line) as string });
  expect(said.stdout).toContain("stale");
  expect(said.stdout).not.toMatch(/NaN|2099/);
  const metrics = join(own, "metrics.prom");
  writeFileSync(join(own, "pipeline.yaml"), JSON.stringify({ lake: own, outputs: { metrics } }));
  const ran = await project.recount(["run", join(own, "pipeline.yaml")], {
    RECOUNT_API_KEY: "wrong",
  });
  expect(ran.stderr).toContain(line);
  expect(readFileSync(metrics, "utf8")).toContain(`} ${Date.parse(ended.ended_at ?? "") / 1000}\n`);
});

it.each([
  ["26 hours after a success it is fine", "2026-01-02T02:00:00Z", null],
  [
    "27 hours after it is stale",
    "2026-01-02T03:01:00Z",
    "stale: the last success is 27.0 hours old",
  ],
  ["12 days after it is stale", "2026-01-13T01:00:00Z", "stale: the last success is 12 days old"],
])("%s, at an age of 26 hours", (_, now, problem) => {
  expect(projectStatus("P1", [ended], new Date(now), 26 * 3_600_000).problem).toBe(problem);
});
