import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { auditSnapshot, type AuditReport } from "../../src/audit/index.js";
import { createClient } from "../../src/client/index.js";
import { exportSnapshot } from "../../src/extract/index.js";
import { openSnapshot } from "../../src/lake/index.js";
import { conventionsWith } from "../../src/metrics/conventions.js";
import type { RunningService } from "../../src/service/index.js";
import { openWarehouse, recompute } from "../../src/warehouse/index.js";

/** What Recount says of a service after exporting its project over HTTP and recounting it. */
export async function audited(service: RunningService): Promise<AuditReport> {
  const lake = await mkdtemp(join(tmpdir(), "recount-audited-"));
  const client = createClient({ baseUrl: service.url, credentials: { scheme: "api-key", key: service.apiKey } });
  const { manifest } = await exportSnapshot({ client, projectId: service.projectId, lake });
  await client.close();
  const snapshot = await openSnapshot(lake, service.projectId);
  const warehouse = await openWarehouse({ sources: snapshot.tables });
  try {
    const conventions = conventionsWith({});
    await recompute(warehouse, conventions);
    return await auditSnapshot(warehouse, { id: snapshot.id, created_at: manifest.created_at, unsettled: new Map() }, conventions);
  } finally {
    warehouse.close();
    await rm(lake, { recursive: true });
  }
}
