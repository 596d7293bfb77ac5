import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditExitCode, auditLake, type AuditReport } from "../../src/audit/index.js";
import { startEmulator, type FaultRule, type RunningEmulator } from "../../src/emulator/index.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";

describe("numbers of an experiment with rows in quarantine", () => {
  let service: RunningEmulator;
  beforeAll(async () => {
    service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  });
  afterAll(() => service.close());

  async function audited(rule: FaultRule): Promise<AuditReport> {
    const lake = temporaryLake();
    service.faults.set([rule]);
    await exportTo(lake, service);
    const { report, warehouse } = await auditLake(lake, service.projectId, { limits: null });
    warehouse.close();
    rmSync(lake, { recursive: true });
    return report;
  }

  const unfit = (operation: NonNullable<FaultRule["operation"]>, row: number, field: string): FaultRule => ({
    operation,
    fault: { kind: "wrong_type", row, field },
  });

  test.each([
    ["ratings", unfit("listRatings", 20, "score")],
    ["slates", unfit("listSlates", 1, "date_updated")],
    ["sessions", unfit("listSessions", 1, "date_completed")],
  ])("that differ are inconclusive, with the count and the place: %s", async (table, rule) => {
    const report = await audited(rule);
    const { exact, inconclusive } = report.summary;
    expect(report.rows).toHaveLength(exact + inconclusive);
    expect(inconclusive).toBeGreaterThan(0);
    const reasons = report.rows.filter(({ verdict }) => verdict === "inconclusive").map((row) => row.explanation);
    for (const reason of reasons)
      expect(reason).toMatch(new RegExp(`1 of its ${table} in quarantine \\(quarantine/${table}/.*jsonl\\)$`));
    expect(auditExitCode(report.summary, report.correctness)).toBe(2);
  });

  test("are compared as usual if only other rows are in quarantine", async () => {
    const report = await audited(unfit("listResults", 0, "kind"));
    expect(report.summary).toMatchObject({ inconclusive: 0, not_auditable: report.shortfalls.length });
    expect(report.shortfalls.length).toBeGreaterThan(0);
  });
});
