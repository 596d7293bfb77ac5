import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AuditReport } from "../../src/audit/index.js";
import type { TableName } from "../../src/contract/index.js";
import type { SourceScope } from "../../src/extract/index.js";
import { unreadListsIn } from "../../src/audit/read/doubts.js";
import type { Unit } from "../../src/lake/index.js";
import { renderAudit } from "../../src/report/index.js";
import { startEmulator, type FaultRule, type RunningEmulator } from "../../src/emulator/index.js";
import { auditOf } from "../support/export-and-audit.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";

describe("the audit names the lists that it could not read", () => {
  let service: RunningEmulator;
  beforeAll(async () => {
    service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  });
  afterAll(() => service.close());

  async function audited(
    faults: readonly FaultRule[],
    tables?: readonly TableName[],
    sources: SourceScope = "all",
  ): Promise<AuditReport> {
    const lake = temporaryLake();
    service.faults.set(faults);
    await exportTo(lake, service, { tables, sources });
    const report = await auditOf(lake, service.projectId);
    rmSync(lake, { recursive: true });
    return report;
  }

  test("names none if all were read, even without rubrics", async () => {
    const report = await audited([]);
    expect(report.unread).toEqual([]);
    expect(renderAudit(report)).not.toContain("Not audited");
  });

  test("names refused and missing lists, and with refused rubrics also the leaderboards", async () => {
    const refused = (status: number) => ({ kind: "status", status }) as const;
    const report = await audited([
      { operation: "listMetrics", fault: refused(403) },
      { operation: "listRubrics", fault: refused(404) },
    ]);
    expect(report.unread).toEqual([
      { list: "metrics", reason: "not_permitted" },
      { list: "leaderboards", reason: "not_offered" },
      { list: "rubrics", reason: "not_offered" },
    ]);
    expect(renderAudit(report)).toContain(
      "Not audited: the list of metrics (permission denied), the list of leaderboards (not offered by the service), ",
    );
  });

  test("names lists that were not exported", async () => {
    const report = await audited([], ["ratings", "slates", "sessions", "metrics"]);
    expect(report.unread.map(({ list, reason }) => `${list} ${reason}`)).toEqual([
      "results not_exported",
      "metrics not_exported",
      "leaderboards not_exported",
      "rubrics not_exported",
    ]);
  });

  test("names the numbers of jobs if only those of the whole were exported", async () => {
    const report = await audited([], undefined, "whole");
    expect(report.unread).toEqual([
      { list: "results", reason: "not_exported", sources: ["each job"] },
      { list: "metrics", reason: "not_exported", sources: ["each job"] },
    ]);
    expect(renderAudit(report)).toContain(
      "Not audited: the list of results of each job (not exported), ",
    );
  });

  test("names the sources whose numbers were refused", () => {
    const unit = {
      operation: "listResults",
      experiment_id: "exp1",
      status: 200,
      attempts: 1,
      started_at: "",
      elapsed_ms: 0,
      etag: null,
      body: null,
      elements: 0,
      parts: [],
    } as const;
    const results: Unit[] = [
      { ...unit, state: "complete", parameters: {} },
      { ...unit, state: "not_permitted", parameters: { source: "job1b" } },
      { ...unit, state: "not_permitted", parameters: { source: "job1a" } },
      { ...unit, state: "not_offered", parameters: { source: "job1c" } },
    ];
    const unread = unreadListsIn({ units: results, experiments: [] }).filter(
      ({ list }) => list === "results",
    );
    expect(unread).toEqual([
      { list: "results", reason: "not_permitted", sources: ["job1a", "job1b"] },
    ]);
  });
});
