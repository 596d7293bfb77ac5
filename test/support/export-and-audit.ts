import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditLake, type AuditLakeOptions, type AuditReport } from "../../src/audit/index.js";
import type { RunningEmulator } from "../../src/emulator/index.js";
import { exportTo } from "./export-to-lake.js";

export async function auditOf(
  lake: string,
  projectId: string,
  options?: AuditLakeOptions,
): Promise<AuditReport> {
  const { report, warehouse } = await auditLake(lake, projectId, { ...options, models: "audited" });
  warehouse.close();
  return report;
}

export async function audited(service: RunningEmulator): Promise<AuditReport> {
  const lake = await mkdtemp(join(tmpdir(), "recount-audited-"));
  try {
    await exportTo(lake, service);
    return await auditOf(lake, service.projectId);
  } finally {
    await rm(lake, { recursive: true });
  }
}
