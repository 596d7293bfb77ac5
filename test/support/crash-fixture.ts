import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TableName } from "../../src/contract/index.js";
import { currentSnapshot, openSnapshot, verifyProject } from "../../src/lake/index.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { exportTo } from "./export-to-lake.js";
import { goldenPaths } from "./golden-case.js";
import { recount, type Outcome } from "./command-line.js";
import { recountHere } from "./in-process.js";

export const preload = pathToFileURL(join(import.meta.dirname, "failing-files.mjs")).href;

export interface CrashFixture {
  readonly service: RunningEmulator;
  /** A lake with one snapshot, with one rating more than the service now has. */
  lake(): string;
  /** A real `recount export` into `lake`; `env` configures failing-files.mjs. */
  run(lake: string, env?: Record<string, string>): Promise<Outcome>;
  /** The same command in this process. */
  runHere(lake: string): Promise<Outcome>;
  /** The same export in this process, if only the outcome matters. */
  again(lake: string): Promise<void>;
  /** The file steps of an uninterrupted export, in order. */
  steps(): Promise<string[]>;
  /** The number of ratings in the current snapshot, and the problems that `recount verify` finds. */
  visible(lake: string): Promise<{ id: string | null; ratings: number; problems: readonly unknown[] }>;
  close(): Promise<void>;
}

export async function crashFixture(): Promise<CrashFixture> {
  const service = await startEmulator({ load: goldenPaths("tiny-pairwise") });
  const root = mkdtempSync(join(tmpdir(), "recount-crash-"));
  const { projectId } = service;
  let lakes = 0;
  const tables: TableName[] = ["ratings", "sessions", "results"];
  const args = ["export", "--base-url", service.url, "--project", projectId, "-v", "--table", ...tables];
  const run = (lake: string, env: Record<string, string> = {}) =>
    recount([...args, "--lake", lake], {
      RECOUNT_API_KEY: service.apiKey,
      NODE_OPTIONS: `--import ${preload}`,
      FILES_UNDER: lake,
      ...env,
    });
  const first = join(root, "first");
  service.faults.set([{ operation: "listRatings", fault: { kind: "double_row", row: 0 } }]);
  await exportTo(first, service, { tables });
  service.faults.set([]);
  const lake = () => {
    const copy = join(root, `lake${lakes++}`);
    cpSync(first, copy, { recursive: true });
    return copy;
  };
  return {
    service,
    lake,
    run,
    runHere: (lake) => recountHere([...args, "--lake", lake], { RECOUNT_API_KEY: service.apiKey }),
    again: async (at) => {
      await exportTo(at, service, { tables });
    },
    async steps() {
      const log = join(root, "steps.log");
      await run(lake(), { FILES_LOG: log });
      return readFileSync(log, "utf8").trim().split("\n");
    },
    async visible(at) {
      const { manifest } = await openSnapshot(at, projectId);
      const ratings = manifest.units.find(({ operation }) => operation === "listRatings")?.elements ?? 0;
      const id = await currentSnapshot(at, projectId);
      return { id, ratings, problems: (await verifyProject(at, projectId)).problems };
    },
    close: async () => {
      await service.close();
      rmSync(root, { recursive: true });
    },
  };
}
