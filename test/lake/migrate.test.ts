import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { auditLake, verifyBundle, writeBundle } from "../../src/audit/index.js";
import {
  currentSnapshot,
  diffManifests,
  manifestText,
  migrateProject,
  openSnapshot,
  openStore,
  partIn,
  verifyProject,
} from "../../src/lake/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { earlierPlaces } from "../../src/lake/layout.js";
import { auditSettings } from "../support/audit/settings.js";
import { dying, killed } from "../support/dying-store.js";
import { exportTo, temporaryLake } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { reseal, unpackedManifest } from "../support/reseal.js";
import { everyNth } from "../support/whole.js";
import { auditText } from "../support/audit-report.js";

const project = "Listen42";
const root = temporaryLake();
let lakes = 0;
afterAll(() => rmSync(root, { recursive: true }));

/** A copy of a lake of test/lakes, with a database whose views name its files. */
async function copied(format: number) {
  const lake = join(root, `lake${lakes++}`);
  cpSync(join(import.meta.dirname, "../lakes", String(format)), lake, { recursive: true });
  const id = (await currentSnapshot(lake, project)) ?? "";
  const derived = join(lake, project, "derived", id);
  mkdirSync(derived, { recursive: true });
  for (const name of ["recount.duckdb", "metric_elo.parquet"]) writeFileSync(join(derived, name), "");
  return { lake, id, manifest: join(lake, project, "snapshots", id, "manifest.json") };
}

const filesIn = (lake: string) =>
  readdirSync(join(lake, project), { recursive: true, encoding: "utf8" })
    .filter((path) => !path.startsWith(".lock") && path !== "staging")
    .toSorted();

const audited = async (lake: string) => {
  const audit = await auditLake(lake, project, auditSettings);
  audit.warehouse.close();
  return audit;
};

it.each(everyNth("formats", [1, 2, 3], 3))(
  "a lake of format %i migrates without a changed byte, and gives the same numbers",
  async (format) => {
    const { lake, manifest } = await copied(format);
    const text = readFileSync(manifest, "utf8");
    const before = await openSnapshot(lake, project);
    const numbers = auditText((await audited(lake)).report).replace(
      "quarantine/raters/experiment_id=exp1/part-0.jsonl",
      "experiment_id=exp1/raters.quarantine.jsonl",
    );
    const { snapshots, freed_bytes } = await migrateProject(lake, project);
    expect(snapshots).toEqual([
      { snapshot: before.id, format, files: expect.any(Number) as number, is_migrated: true },
    ]);
    expect(freed_bytes).toBeGreaterThan(30_000);
    expect(await verifyProject(lake, project)).toMatchObject({ problems: [], leftovers: [] });
    const after = await openSnapshot(lake, project);
    expect(unpackedManifest(manifest)).toBe(text);
    expect(after.manifestDigest).toBe(createHash("sha256").update(text).digest("hex"));
    expect(diffManifests(before.manifest, after.manifest)).toMatchObject({
      changed: [],
      unchanged: before.manifest.units.flatMap(({ parts }) => parts).length,
    });
    expect(filesIn(lake).filter((path) => path.startsWith("derived/"))).toEqual([
      `derived/${before.id}`,
      `derived/${before.id}/metric_elo.parquet`,
    ]);
    const again = await audited(lake);
    expect(auditText(again.report)).toBe(numbers);
    const bundle = join(root, "evidence.zip");
    await writeBundle(bundle, again, auditSettings);
    expect((await verifyBundle(bundle)).problems).toEqual([]);
  },
);

it("a migration that is killed at any step leaves a whole lake, and the next one goes on", async () => {
  const whole = await copied(1);
  const once = await copied(1);
  const store = dying(openStore(once.lake), Infinity);
  await migrateProject(once.lake, project, { store });
  const moments = Array.from({ length: 2 * store.steps() }, (_, i) => 1 + i / 2);
  const wrong: unknown[] = [];
  let left = 0;
  for (const at of everyNth("crashes", moments, 18)) {
    const { lake } = await copied(1);
    const dies = dying(openStore(lake), at);
    await expect(migrateProject(lake, project, { store: dies })).rejects.toBe(killed);
    const after = await verifyProject(lake, project);
    left += after.leftovers.length;
    const { manifest } = await openSnapshot(lake, project);
    await migrateProject(lake, project);
    const then = await verifyProject(lake, project);
    const isMended = after.problems.length + then.problems.length + then.leftovers.length === 0;
    const isSame = filesIn(lake).join() === filesIn(once.lake).join() && manifest.snapshot === whole.id;
    if (!isMended || !isSame) wrong.push({ at, after, then, files: filesIn(lake) });
    rmSync(lake, { recursive: true });
  }
  expect(wrong).toEqual([]);
  expect(left).toBeGreaterThan(0);
});

it("the export after a migration links what has not changed", async () => {
  const service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  const lake = join(root, "linked");
  const { dir, manifest } = await exportTo(lake, service, { tables: ["ratings", "sessions"] });
  const units = manifest.units.map((unit) => ({
    ...unit,
    parts: unit.parts.map((part) => partIn(earlierPlaces, part, unit.experiment_id)),
  }));
  for (const [i, { parts }] of manifest.units.entries())
    for (const [j, { path }] of parts.entries()) {
      const earlier = join(dir, units[i]?.parts[j]?.path ?? "");
      mkdirSync(dirname(earlier), { recursive: true });
      renameSync(join(dir, path), earlier);
    }
  rmSync(join(dir, "experiment_id=exp1"), { recursive: true });
  writeFileSync(join(dir, "manifest.json"), manifestText({ ...manifest, format: 3, units }));
  expect((await migrateProject(lake, project)).snapshots).toMatchObject([{ format: 3, is_migrated: true }]);
  const next = await exportTo(lake, service, { tables: ["ratings", "sessions"] });
  await service.close();
  const linked = ["ratings", "sessions"].map((table) => join(next.dir, `experiment_id=exp1/${table}.parquet`));
  expect(linked.map((file) => statSync(file).nlink)).toEqual([2, 2]);
});

it("a lake that does not verify is not migrated", async () => {
  const { lake, manifest } = await copied(2);
  const part = join(manifest, "../ratings/experiment_id=exp1/part-0.parquet");
  writeFileSync(part, readFileSync(part).fill(0, 8, 16));
  const before = filesIn(lake);
  const { code, stdout, stderr } = await recountHere(["migrate", "--lake", lake]);
  expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
  expect(stderr).toMatch(
    /^recount: Listen42 does not verify: 1 problem, .*part-0\.parquet: .* Nothing was migrated\. Run/,
  );
  expect(filesIn(lake)).toEqual(before);
});

it("a lake of a later format is left as it is, with the version that reads it", async () => {
  const { lake, manifest } = await copied(3);
  reseal(manifest, (one) => ({ ...one, format: 5, recount: "9.1.0" }));
  const before = filesIn(lake);
  expect(await recountHere(["migrate", "--lake", lake])).toMatchObject({
    ...{ code: 4, stdout: "" },
    stderr: expect.stringMatching(/^recount: .* in format 5, .* up to 4: use Recount 9\.1\.0 or later\.\n$/) as string,
  });
  expect(filesIn(lake)).toEqual(before);
});

it("the command says what it would do, does it, and has nothing left to do", async () => {
  const { lake, id } = await copied(1);
  const before = filesIn(lake);
  const migrate = (...more: string[]) => recountHere(["migrate", "--lake", lake, ...more]);
  expect((await migrate("--dry-run")).stdout).toBe(
    `Listen42 ${id}: would be migrated from format 1, 8 files\nWould migrate 1 of 1 snapshot.\n`,
  );
  expect(filesIn(lake)).toEqual(before);
  expect((await migrate()).stdout).toMatch(
    /: migrated from format 1, 8 files\nMigrated 1 of 1 snapshot; [\d.]+ kB freed\. /,
  );
  expect((await migrate("--json")).stdout).toContain('"is_migrated": false');
  expect((await migrate()).stdout).toBe(
    `Listen42 ${id}: has the present layout\nMigrated 0 of 1 snapshot; 0 B freed.\n`,
  );
  expect(await migrate("--project", "Other1")).toMatchObject({
    code: 4,
    stderr: expect.stringMatching(/no snapshot of Other1/) as string,
  });
});
