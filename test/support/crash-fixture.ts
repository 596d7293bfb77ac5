import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TableName } from "../../src/contract/index.js";
import { currentSnapshot, readSnapshot, verifyProject } from "../../src/lake/index.js";
import { importSnapshot, readMapping } from "../../src/import/index.js";
import { startEmulator, type RunningEmulator } from "../../src/emulator/index.js";
import { exportTo } from "./export-to-lake.js";
import { goldenPaths } from "./golden-case.js";
import { recount, type Outcome } from "./command-line.js";
import { recountHere } from "./in-process.js";
import { writeStudy } from "./study-files.js";

export const preload = pathToFileURL(join(import.meta.dirname, "failing-files.mjs")).href;

export interface CrashFixture {
  readonly service: RunningEmulator;
  readonly project: string;
  /** A lake with one snapshot, with one rating more than the service or the files now have. */
  lake(): string;
  /** A real `recount export` or `recount import` into `lake`; `env` configures failing-files.mjs. */
  run(lake: string, env?: Record<string, string>): Promise<Outcome>;
  runHere(lake: string): Promise<Outcome>;
  /** What the command does, once more in this process, if only the outcome matters. */
  again(lake: string): Promise<void>;
  steps(): Promise<string[]>;
  visible(
    lake: string,
  ): Promise<{ id: string | null; ratings: number; problems: readonly unknown[] }>;
  close(): Promise<void>;
}

/** @param way how rows come into the lakes */
export async function crashFixture(way: "export" | "import"): Promise<CrashFixture> {
  const service = await startEmulator({ load: goldenPaths("tiny-pairwise") });
  const root = mkdtempSync(join(tmpdir(), "recount-crash-"));
  let lakes = 0;
  const tables: TableName[] = ["ratings", "sessions", "results"];
  let project = service.projectId;
  let write = (lake: string) => exportTo(lake, service, { tables });
  let args = [
    "export",
    "--base-url",
    service.url,
    "--project",
    project,
    "-v",
    "--table",
    ...tables,
  ];
  const run = (lake: string, env: Record<string, string> = {}) =>
    recount([...args, "--lake", lake], {
      RECOUNT_API_KEY: service.apiKey,
      NODE_OPTIONS: `--import ${preload}`,
      FILES_UNDER: lake,
      ...env,
    });
  const first = join(root, "first");
  service.faults.set([{ operation: "listRatings", fault: { kind: "double_row", row: 0 } }]);
  await write(first);
  service.faults.set([]);
  if (way === "import") {
    const source = join(root, "source");
    await exportTo(source, service);
    const study = {
      more: [
        {
          rater_id: "1",
          session_id: "s1x0000",
          slate_id: 1001,
          stimulus: "D",
          score: 1,
          dimension: "",
        },
      ],
    };
    project = "exp1";
    const mapping = await writeStudy(source, project, root, study);
    args = ["import", mapping, "-v"];
    write = async (lake) => importSnapshot(await readMapping(mapping), { lake });
    rmSync(first, { recursive: true });
    await write(first);
    const file = join(root, "ratings.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").split("\n").slice(0, -1).join("\n"));
  }
  const lake = () => {
    const copy = join(root, `lake${lakes++}`);
    cpSync(first, copy, { recursive: true });
    return copy;
  };
  return {
    service,
    project,
    lake,
    run,
    runHere: (lake) => recountHere([...args, "--lake", lake], { RECOUNT_API_KEY: service.apiKey }),
    again: async (at) => {
      await write(at);
    },
    async steps() {
      const log = join(root, "steps.log");
      await run(lake(), { FILES_LOG: log });
      return readFileSync(log, "utf8").trim().split("\n");
    },
    async visible(at) {
      const { manifest } = await readSnapshot(at, project);
      const ratings =
        manifest.units.find(({ operation }) => operation === "listRatings")?.elements ?? 0;
      const id = await currentSnapshot(at, project);
      return { id, ratings, problems: (await verifyProject(at, project)).problems };
    },
    close: async () => {
      await service.close();
      rmSync(root, { recursive: true });
    },
  };
}
