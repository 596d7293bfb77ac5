import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditExitCode, auditLake, verifyBundle, writeBundle, type AuditReport } from "../../src/audit/index.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { readPipeline } from "../../src/pipeline/index.js";
import { settingsOf } from "../../src/pipeline/settings.js";
import { renderAudit } from "../../src/report/index.js";
import { folderOfTests } from "../support/folder.js";
import { auditOf } from "../support/export-and-audit.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenPaths } from "../support/golden-case.js";
import { ask, parsed } from "../support/http-client.js";
import { recountHere } from "../support/in-process.js";

interface Entry extends Record<string, unknown> {
  stimulus: string;
  wins: number;
}
interface Listed extends Record<string, unknown> {
  kind: string;
  scores: Entry[];
}

/** The sample project with wrong numbers in its metrics list and its leaderboards, and nowhere else. */
describe("numbers published only in a project's lists", () => {
  const dir = folderOfTests("recount-lists");
  const lake = join(dir, "lake");
  const [json, bundle, pipeline] = ["audit.json", "evidence.zip", "shapes.yaml"].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  let service: RunningEmulator;
  const rowsOf = (): AuditReport => JSON.parse(readFileSync(json, "utf8")) as AuditReport;

  beforeAll(async () => {
    service = await startEmulator({});
    const jobs = parsed<{ id: string }[]>(await ask(service, "experiments/Codecs16k/jobs/")).map(({ id }) => id);
    const metrics = parsed<Listed[]>(await ask(service, "metrics/?source=Codecs16k"));
    const ofJobs = parsed<Listed[]>(await ask(service, `metrics/?source=${jobs.join()}`));
    const boards = parsed<Listed[]>(await ask(service, "rubrics/SpeechCoding/leaderboards/"));
    for (const { kind, scores } of metrics) if (kind === "win_loss") (scores[0] as Entry).wins += 3;
    for (const { kind, scores } of boards)
      if (kind === "percent_chosen") scores.forEach((entry, i) => (entry.rank = [1, 3, 2][i] ?? i + 1));
    const both = {
      what: "percent_chosen",
      of: { jobs: jobs.toReversed() },
      table: metrics.find(({ kind }) => kind === "percent_chosen")?.scores,
    };
    service.faults.set([
      { operation: "listMetrics", fault: { kind: "body", text: JSON.stringify([...metrics, ...ofJobs, both]) } },
      // The leaderboards of the first of two rubrics, in both readings.
      { operation: "listLeaderboards", nth: [1, 3], fault: { kind: "body", text: JSON.stringify(boards) } },
    ]);
    await exportTo(lake, service, { selection: { ids: ["Codecs16k"], names: [], types: [] } });
    await service.close();
    writeFileSync(
      pipeline,
      'record_shapes:\n  metrics: { kind: "$.what", source: "$.of.jobs[*]", scores: "$.table" }\n',
    );
  });
  afterAll(() => {});

  it("are audited over HTTP, and the wrong value, wrong ranks and contradictions are found", async () => {
    const { code, stdout } = await recountHere(["audit", "--lake", lake, "--json", json]);
    const { rows, contradictions, left_out, summary } = rowsOf();
    const off = rows
      .filter((row) => row.verdict === "unexplained")
      .map((row) => [row.published_in, row.kind, row.field]);
    expect(off).toEqual([
      ["metrics", "win_loss", "wins"],
      ["leaderboard CallShare", "percent_chosen", "rank"],
      ["leaderboard CallShare", "percent_chosen", "rank"],
    ]);
    expect(
      contradictions.map(({ kind, field, published }) => [kind, field, published.map((p) => p.published_in)]),
    ).toEqual([["win_loss", "wins", ["results", "metrics"]]]);
    expect(
      new Set(
        rows
          .filter((row) => row.published_in === "metrics" && row.verdict === "exact")
          .map((row) => row.source.split(",").length),
      ),
    ).toEqual(new Set([1]));
    expect(rows.filter((row) => row.verdict === "not_auditable").map((row) => row.explanation)).toEqual([
      "the record names no experiment",
    ]);
    expect(summary.exact).toBeGreaterThan(300);
    expect(left_out.map((part) => part.experiment_id)).toEqual(expect.arrayContaining(["Cafeteria", "Text2Image"]));
    expect(stdout).toContain("Published with different values in different places:");
    expect(code).toBe(1);
  });

  it("in an unknown shape are read as the pipeline declares, also for several jobs", async () => {
    const { records, conventions, tolerances, shapes } = settingsOf(await readPipeline(pipeline, {}), pipeline);
    const settings = { records, conventions, tolerances, shapes, limits: null, accept: [], ignore: [] };
    const audited = await auditLake(lake, service.projectId, { ...settings, models: "audited" });
    audited.warehouse.close();
    const { rows, summary } = audited.report;
    const stated = rows.filter(
      (row) => row.published_in === "metrics" && row.kind === "percent_chosen" && row.source.includes(","),
    );
    expect(stated.map((row) => [row.verdict, row.explanation])).toEqual(
      Array.from({ length: 14 }, () => ["exact", null]),
    );
    expect(summary).toMatchObject({ exact: 816, explained: 0, unexplained: 3, not_auditable: 0 });
    await writeBundle(bundle, lake, audited, settings, () => Promise.resolve("<!doctype html>"));
  });

  it("are in the evidence bundle, which verifies without the lake", async () => {
    rmSync(lake, { recursive: true });
    const { problems, report } = await verifyBundle(bundle);
    expect(problems).toEqual([]);
    expect(report?.summary).toMatchObject({ exact: 816, unexplained: 3, not_auditable: 0 });
  });
});

it("reports elements that do not match their record", async () => {
  const lake = temporaryLake();
  const service = await startEmulator({ load: goldenPaths("tiny-pairwise") });
  service.faults.set([
    { operation: "listMetrics", fault: { kind: "raw_value", row: 1, field: "source", text: '["exp1"]' } },
    { operation: "listResults", fault: { kind: "raw_value", row: 0, field: "kind", text: "7" } },
  ]);
  await exportTo(lake, service);
  await service.close();
  const report = await auditOf(lake, service.projectId);
  rmSync(lake, { recursive: true });
  expect(renderAudit(report).match(/: 1 of its elements did not fit the record and is in quarantine/g)).toHaveLength(2);
  expect(report.rows.filter(({ verdict }) => verdict === "not_auditable").map(({ source }) => source)).toEqual([
    ...["", "job1a", "job1b"],
    ...["", "job1a", "job1b"],
  ]);
  expect(auditExitCode(report.summary, report.correctness)).toBe(2);
});
