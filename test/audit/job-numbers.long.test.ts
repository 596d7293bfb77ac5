import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { auditExitCode, auditLake, type AuditReport } from "../../src/audit/index.js";
import { startEmulator, type EmulatorOptions } from "../../src/emulator/index.js";
import type { ExportOptions } from "../../src/extract/index.js";
import { renderAudit } from "../../src/report/index.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";

const lake = temporaryLake();
afterEach(() => {
  rmSync(lake, { recursive: true });
});

async function audited(
  options: EmulatorOptions,
  exporting: Partial<ExportOptions> = {},
): Promise<AuditReport> {
  const service = await startEmulator({
    load: [join(goldenDir, "codec-preference.json")],
    ...options,
  });
  await exportTo(lake, service, exporting);
  const { report, warehouse } = await auditLake(lake, service.projectId, { models: "audited" });
  warehouse.close();
  await service.close();
  return report;
}

const wrong: EmulatorOptions = {
  publishing: [
    {
      kinds: ["elo"],
      source: "job2b",
      corruption: { damage: "add", item: "codec-c", field: "value", by: 77.5 },
    },
  ],
};

test("numbers published for each job are compared with its ratings, and an Elo that is 77.5 too high is found", async () => {
  const report = await audited(wrong);
  const numbers = (job: string) => report.rows.filter(({ source }) => source === job).length;
  expect(numbers("job2a")).toBe(numbers(""));
  expect(numbers("job2b")).toBe(numbers(""));
  const off = report.rows.filter(({ verdict }) => verdict !== "exact");
  expect(off.map((row) => [row.source, row.published_in, row.kind, row.item, row.verdict])).toEqual(
    [
      ["job2b", "results", "elo", "codec-c", "unexplained"],
      ["job2b", "metrics", "elo", "codec-c", "unexplained"],
    ],
  );
  expect(auditExitCode(report.summary, report.correctness)).toBe(1);
  expect(renderAudit(report, { isVerbose: true })).toMatch(
    /elo, job2b \(results, metrics\):\n.*\ncodec-c +value .* \+77\.50 +unexplained/,
  );
});
