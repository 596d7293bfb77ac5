import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { listSnapshots, openStore, pruneSnapshots, verifyProject } from "../../src/lake/index.js";
import { dying, killed } from "../support/dying-store.js";
import { exportTo } from "../support/export-to-lake.js";
import { testProject } from "../support/project.js";
import { systemClock } from "../../src/platform/index.js";

const { service, folder: root, path } = await testProject();
const project = service.projectId;
const whole = path("whole");
const pruned = path("pruned");

beforeAll(async () => {
  for (const row of [0, 1, 2]) {
    service.faults.set([{ operation: "listRatings", fault: { kind: "double_row", row } }]);
    await exportTo(whole, service, { tables: ["ratings", "results"] });
  }
  for (const id of await listSnapshots(whole, project)) {
    mkdirSync(join(whole, project, "derived", id), { recursive: true });
    writeFileSync(join(whole, project, "derived", id, "metric_elo.parquet"), "");
  }
  cpSync(whole, pruned, { recursive: true });
  await pruneSnapshots(pruned, project, { last: 1 });
});

const filesIn = (lake: string) =>
  readdirSync(join(lake, project), { recursive: true, encoding: "utf8" }).filter((path) => !path.startsWith(".lock"));

it("a pruning that is killed at any step leaves whole snapshots, and the next one removes what it left", async () => {
  const once = join(root, "once");
  cpSync(whole, once, { recursive: true });
  const store = dying(openStore(once), Infinity);
  await pruneSnapshots(once, project, { last: 1 }, { store });
  const [newest] = (await listSnapshots(whole, project)).slice(-1);
  expect(
    filesIn(pruned)
      .filter((path) => /^(snapshots|derived)\/[^/]+$/.test(path))
      .toSorted(),
  ).toEqual([`derived/${newest ?? ""}`, `snapshots/${newest ?? ""}`]);
  const wrong: unknown[] = [];
  let left = 0;
  const moments = Array.from({ length: 2 * store.steps() }, (_, i) => 1 + i / 2);
  for (const at of moments) {
    const lake = join(root, `at-${at}`);
    cpSync(whole, lake, { recursive: true });
    await expect(pruneSnapshots(lake, project, { last: 1 }, { store: dying(openStore(lake), at) })).rejects.toBe(
      killed,
    );
    const after = await verifyProject(lake, project);
    left += after.leftovers.length;
    await pruneSnapshots(lake, project, { last: 1 });
    const then = await verifyProject(lake, project);
    const isMended = then.problems.length + then.leftovers.length === 0;
    const isSame = filesIn(lake).join() === filesIn(pruned).join();
    if (after.problems.length > 0 || !isMended || !isSame) wrong.push({ at, after, then, files: filesIn(lake) });
    rmSync(lake, { recursive: true });
  }
  expect(wrong).toEqual([]);
  expect(left).toBeGreaterThan(3);
});

it("removes what a run on a cluster left more than a week ago, and nothing of a run that may go on", async () => {
  const lake = join(root, "scratch");
  cpSync(pruned, lake, { recursive: true });
  const derived = join(lake, project, "derived");
  const before = readdirSync(derived);
  const [old, recent] = [".spark-2026-11-12-0123456789ab", ".spark-2026-11-14-0123456789ab"];
  for (const name of [old, recent]) {
    mkdirSync(join(derived, name, "key_slates"), { recursive: true });
    writeFileSync(join(derived, name, "key_slates", "part-0.parquet"), "rows");
  }
  const clock = { ...systemClock, now: () => new Date("2026-11-21T12:00:00Z") };
  const planned = await pruneSnapshots(lake, project, { last: 1 }, { clock, isDryRun: true });
  expect(planned.freed_bytes).toBeGreaterThan(0);
  const { removed, models_removed } = await pruneSnapshots(lake, project, { last: 1 }, { clock });
  expect([removed, models_removed]).toEqual([[], []]);
  expect(readdirSync(derived).toSorted()).toEqual([recent, ...before].toSorted());
});
