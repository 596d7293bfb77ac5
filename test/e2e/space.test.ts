import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  listSnapshots,
  noteRun,
  readRuns,
  verifyProject,
  type Pruning,
} from "../../src/lake/index.js";
import { shortenRuns, type RunLine } from "../../src/lake/runs.js";
import { exportTo } from "../support/export-to-lake.js";
import { testProject } from "../support/project.js";

const { service, path, recount } = await testProject();
const lake = path("lake");
const project = service.projectId;

for (const row of [0, 1, 0]) {
  service.faults.set([{ operation: "listRatings", fault: { kind: "double_row", row } }]);
  await exportTo(lake, service, { tables: ["ratings", "sessions"] });
}
const ids = await listSnapshots(lake, project);
for (const id of ids) {
  mkdirSync(join(lake, project, "derived", id), { recursive: true });
  writeFileSync(join(lake, project, "derived", id, "metric_elo.parquet"), "x".repeat(1000));
}

function counted(): number {
  const { stdout } = spawnSync(
    "du",
    ["-s", "--apparent-size", "-B1", ...readdirSync(join(lake, project))],
    {
      cwd: join(lake, project),
      encoding: "utf8",
    },
  );
  return [...stdout.matchAll(/^\d+/gm)].reduce((sum, [bytes]) => sum + Number(bytes), 0);
}

const asked = async <T>(...args: string[]) => {
  const { code, stdout, stderr } = await recount([...args, "--lake", lake, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as T;
};

it("list shows what each snapshot takes, and what only it holds", async () => {
  const all = await asked<
    { bytes: number; own_bytes: number; raw_bytes: number; models_bytes: number }[]
  >("snapshots", "list");
  const [, second, third] = all;
  const body = (second?.own_bytes ?? 0) - (third?.own_bytes ?? 0);
  expect(body).toBeGreaterThan(300);
  expect(all.map(({ models_bytes }) => models_bytes > 1000)).toEqual([true, true, true]);
  expect(all.every(({ bytes, raw_bytes }) => bytes > raw_bytes && raw_bytes > 0)).toBe(true);
});

it("a dry run removes nothing, and frees what the pruning then frees", async () => {
  const prune = ["snapshots", "prune", "--keep-last", "1", "--keep-models", "0"];
  const before = counted();
  const planned = await asked<Pruning>(...prune, "--dry-run");
  expect(counted()).toBe(before);
  expect(planned).toMatchObject({
    removed: ids.slice(0, 2),
    kept: ids.slice(2),
    models_removed: ids,
    raw_removed: 1,
  });
  expect(await asked<Pruning>(...prune)).toEqual(planned);
  expect(before - counted()).toBe(planned.freed_bytes);
  expect(await verifyProject(lake, project)).toMatchObject({ problems: [], leftovers: [] });
});

it("the record of runs is bounded, and remembers the last success", async () => {
  const line = (i: number, exit_code: number): RunLine => ({
    ...{
      run: `r${i}`,
      started_at: `2026-01-01T00:00:0${i}Z`,
      ended_at: null,
      exit_code,
      error: null,
    },
    ...{ snapshot: null, rows: null, bytes: null, numbers: null },
  });
  const now = new Date("2026-01-02");
  for (const i of [1, 2, 3, 4, 5]) await noteRun(lake, "P1", line(i, i === 2 ? 0 : 3));
  await shortenRuns(lake, "P1", now, { kept: 2, atMost: 5 });
  expect(await readRuns(lake, "P1")).toHaveLength(5);
  await shortenRuns(lake, "P1", now, { kept: 2, atMost: 4 });
  expect((await readRuns(lake, "P1")).map(({ run }) => run)).toEqual(["r2", "r4", "r5"]);
});
