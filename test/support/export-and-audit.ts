import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditLake, type AuditLakeOptions, type AuditReport } from "../../src/audit/index.js";
import { createClient } from "../../src/client/index.js";
import { exportSnapshot } from "../../src/extract/index.js";
import type { RunningEmulator } from "../../src/emulator/index.js";

/** The audit of a lake's newest snapshot. */
export async function auditOf(lake: string, projectId: string, options?: AuditLakeOptions): Promise<AuditReport> {
  const { report, warehouse } = await auditLake(lake, projectId, { ...options, models: "audited" });
  warehouse.close();
  return report;
}

/** The audit of a service's project after exporting it over HTTP. */
export async function audited(service: RunningEmulator): Promise<AuditReport> {
  const lake = await mkdtemp(join(tmpdir(), "recount-audited-"));
  const client = createClient({ baseUrl: service.url, credentials: { scheme: "api-key", key: service.apiKey } });
  await exportSnapshot({ client, projectId: service.projectId, lake });
  await client.close();
  try {
    return await auditOf(lake, service.projectId);
  } finally {
    await rm(lake, { recursive: true });
  }
}
