import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import {
  listSnapshots,
  readSnapshot,
  openStore,
  overSnapshot,
  pruneSnapshots,
  verifyProject,
} from "../../src/lake/index.js";
import { keepResult } from "../../src/lake/kept-results.js";
import { dying, killed } from "../support/dying-store.js";
import { exportTo } from "../support/export-to-lake.js";
import { testProject } from "../support/project.js";
import { ExportError, systemClock } from "../../src/platform/index.js";

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
  readdirSync(join(lake, project), { recursive: true, encoding: "utf8" }).filter(
    (path) => !path.startsWith(".lock"),
  );

it("what reads a snapshot while it is pruned reads the current one, or says that the named one has gone", async () => {
  const lake = path("beside");
  cpSync(whole, lake, { recursive: true });
  const [oldest = "", , newest = ""] = await listSnapshots(lake, project);
  writeFileSync(join(lake, project, "current"), `${oldest}\n`);
  const read: string[] = [];
  const said: string[] = [];
  const overtaken = async (id = "") => {
    read.push(id);
    writeFileSync(join(lake, project, "current"), `${newest}\n`);
    await pruneSnapshots(lake, project, { last: 1 });
    return (await readSnapshot(lake, project, id)).id;
  };
  expect(await overSnapshot(lake, project, undefined, overtaken, (line) => said.push(line))).toBe(
    newest,
  );
  expect({ read, said }).toEqual({
    read: [oldest, newest],
    said: [`The snapshot ${oldest} was pruned while it was read. Reading the current one.`],
  });
  rmSync(lake, { recursive: true });
  cpSync(whole, lake, { recursive: true });
  await expect(overSnapshot(lake, project, oldest, overtaken, () => undefined)).rejects.toThrow(
    new ExportError(
      `The snapshot ${oldest} was pruned while it was read. Choose another with --snapshot: \`recount snapshots list\`.`,
    ),
  );
});

it("verify finds no problem while snapshots are exported and pruned", async () => {
  const lake = path("busy");
  let isOver = false;
  const night = async () => {
    for (let run = 0; run < 12; run++) {
      service.faults.set([
        { operation: "listRatings", fault: { kind: "double_row", row: run % 3 } },
      ]);
      await exportTo(lake, service, { tables: ["ratings", "results"] });
      await pruneSnapshots(lake, project, { last: 1 });
    }
    isOver = true;
  };
  await exportTo(lake, service, { tables: ["ratings", "results"] });
  const found: unknown[] = [];
  const watch = async () => {
    let checks = 0;
    for (; !isOver; checks++) found.push(...(await verifyProject(lake, project)).problems);
    return checks;
  };
  const [checks] = await Promise.all([watch(), night()]);
  expect(checks).toBeGreaterThan(1);
  expect(found).toEqual([]);
});

it("a pruning that is killed at any step leaves whole snapshots, and the next one removes what it left", async () => {
  const once = join(root, "once");
  cpSync(whole, once, { recursive: true });
  const store = dying(await openStore(once), Infinity);
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
    await expect(
      pruneSnapshots(lake, project, { last: 1 }, { store: dying(await openStore(lake), at) }),
    ).rejects.toBe(killed);
    const after = await verifyProject(lake, project);
    left += after.leftovers.length;
    await pruneSnapshots(lake, project, { last: 1 });
    const then = await verifyProject(lake, project);
    const isMended = then.problems.length + then.leftovers.length === 0;
    const isSame = filesIn(lake).join() === filesIn(pruned).join();
    if (after.problems.length > 0 || !isMended || !isSame)
      wrong.push({ at, after, then, files: filesIn(lake) });
    rmSync(lake, { recursive: true });
  }
  expect(wrong).toEqual([]);
  expect(left).toBeGreaterThan(3);
});

it("removes what is kept of models that are gone", async () => {
  const lake = join(root, "kept");
  cpSync(whole, lake, { recursive: true });
  const kept = join(lake, project, "derived", ".kept");
  const ids = await listSnapshots(lake, project);
  for (const id of ids) await keepResult({ folder: kept }, "tables", id, { snapshot: id });
  await keepResult({ folder: kept }, "audit", "0".repeat(64), { rows: [] });
  expect(readdirSync(kept)).toHaveLength(4);
  const planned = await pruneSnapshots(lake, project, { last: 3, models: 1 }, { isDryRun: true });
  expect(planned.freed_bytes).toBeGreaterThan(0);
  await pruneSnapshots(lake, project, { last: 3, models: 1 });
  const [audit = "", tables = "", ...others] = readdirSync(kept).toSorted();
  expect(audit).toMatch(/^audit-/);
  expect(tables.endsWith(ids.at(-1) ?? "none")).toBe(true);
  expect(others).toEqual([]);
  rmSync(lake, { recursive: true });
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
