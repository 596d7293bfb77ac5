import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/index.js";
import type { TableName } from "../../src/contract/index.js";
import { exportSnapshot, type ExportOptions, type ExportReport } from "../../src/extract/index.js";
import { layoutOf, readSnapshot, verifyProject, type Manifest } from "../../src/lake/index.js";
import { startEmulator, type FaultRule, type RunningEmulator } from "../../src/emulator/index.js";
import { virtualClock } from "./virtual-clock.js";
import { goldenDir } from "./golden-case.js";

export interface Aftermath {
  readonly report: ExportReport | null;
  readonly error: Error | null;
  readonly current: string;
  readonly manifest: Manifest;
  readonly problems: readonly unknown[];
  readonly staging: readonly string[];
}

export interface FaultFixture {
  readonly service: RunningEmulator;
  readonly lake: string;
  /** Exports under fault rules; pauses take no time. */
  exportUnder(rules: readonly FaultRule[], options?: Partial<ExportOptions>): Promise<Aftermath>;
  close(): Promise<void>;
}

export async function faultFixture(
  files: string | readonly string[] = "tiny-pairwise.json",
  tables?: readonly TableName[],
): Promise<FaultFixture> {
  const service = await startEmulator({
    load: [files].flat().map((file) => join(goldenDir, file)),
  });
  const lake = mkdtempSync(join(tmpdir(), "recount-faults-"));
  const { projectId } = service;
  return {
    service,
    lake,
    async exportUnder(rules, options = {}) {
      service.faults.set(rules);
      service.faults.clearJournal();
      const client = createClient(
        { baseUrl: service.url, credentials: { scheme: "api-key", key: service.apiKey } },
        { clock: virtualClock(Date.now()) },
      );
      const { report, error } = await exportSnapshot({
        client,
        projectId,
        lake,
        ...(tables ? { tables } : {}),
        ...options,
      }).then(
        (done) => ({ report: done, error: null }),
        (failure: unknown) => ({ report: null, error: failure as Error }),
      );
      await client.close();
      const { id: current, manifest } = await readSnapshot(lake, projectId);
      return {
        report,
        error,
        manifest,
        current,
        problems: (await verifyProject(lake, projectId, current)).problems,
        staging: readdirSync(join(lake, layoutOf(projectId).staging)),
      };
    },
    close: async () => {
      await service.close();
      rmSync(lake, { recursive: true });
    },
  };
}

export const partsOf = (manifest: Manifest) =>
  Object.fromEntries(
    manifest.units.flatMap(({ parts }) => parts.map(({ path, sha256 }) => [path, sha256])),
  );
