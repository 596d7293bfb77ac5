import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { auditSnapshot, type AuditedSnapshot } from "../../src/audit/index.js";
import { apiVersions } from "../../src/contract/index.js";
import { openSnapshot } from "../../src/lake/index.js";
import { conventionsWith } from "../../src/metrics/conventions.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { openWarehouse, recompute, type Warehouse } from "../../src/warehouse/index.js";
import { folderOfTests } from "../support/folder.js";
import {
  checkDefaults,
  checkVariant,
  conventionsOf,
  goldenFiles,
  goldenPaths,
  readGolden,
  tablesOf,
  variantsOf,
} from "../support/golden-case.js";
import { leanConventions, recomputeBehind } from "../support/load-case.js";
import { exportTo } from "../support/export-to-lake.js";

/** The golden cases served, exported over HTTP and recomputed from Parquet; in both versions of the interface. */
describe.each(apiVersions)("golden cases over HTTP, interface %s", (apiVersion) => {
  const lake = folderOfTests("recount-golden");
  let service: RunningEmulator;
  let warehouse: Warehouse;
  let audited: AuditedSnapshot;
  const files = goldenFiles;

  beforeAll(async () => {
    service = await startEmulator({ load: goldenPaths(...files), apiVersion });
    const { manifest, quarantined } = await exportTo(lake, service);
    expect(quarantined).toBe(0);
    expect(manifest.experiments.map(({ state }) => state)).toEqual(files.map(() => "complete"));
    const snapshot = await openSnapshot(lake, service.projectId);
    audited = { id: snapshot.id, created_at: manifest.created_at, unsettled: new Map() };
    warehouse = await openWarehouse({ sources: snapshot.tables });
    await recompute(warehouse, leanConventions());
  });

  afterAll(async () => {
    warehouse.close();
    await service.close();
  });

  it("match every expected number under the default conventions", async () => {
    for (const file of files) await checkDefaults(warehouse, readGolden(file));
  });

  it("agree with the service's own scoring, which shares no code", async () => {
    const { summary, correctness } = await auditSnapshot(warehouse, audited, conventionsWith({}));
    expect(Object.entries(summary).filter(([, numbers]) => numbers > 0)).toEqual([["exact", summary.exact]]);
    expect(summary.exact).toBeGreaterThan(80 * files.length);
    expect(correctness.equal).toBe(correctness.compared);
    expect(correctness.compared).toBeGreaterThan(10 * files.length);
  });

  const byVariant = new Map<string, string[]>();
  for (const file of files) {
    for (const name of variantsOf(readGolden(file))) byVariant.set(name, [...(byVariant.get(name) ?? []), file]);
  }
  it.each(apiVersion === "0.8.3" ? [...byVariant] : [])("match every expected number under %s", async (name, files) => {
    await recomputeBehind(warehouse, tablesOf(name), conventionsOf(name));
    for (const file of files) await checkVariant(warehouse, readGolden(file), name);
  });
});
