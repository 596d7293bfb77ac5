import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import { startEmulator, type EmulatorOptions, type RunningEmulator } from "../../src/emulator/index.js";
import {
  defaultRetention,
  listSnapshots,
  noteRun,
  pruneSnapshots,
  readRuns,
  verifyProject,
  type ProjectUsage,
  type Pruning,
} from "../../src/lake/index.js";
import { shortenRuns, type RunLine } from "../../src/lake/runs.js";
import { exportAndAudit } from "../../src/pipeline/export-and-audit.js";
import { settingsOf, type Settings } from "../../src/pipeline/settings.js";
import { createLog, systemClock } from "../../src/platform/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenDir } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { everyNth, isWhole } from "../support/whole.js";

const root = mkdtempSync(join(tmpdir(), "recount-space-"));
const lake = join(root, "lake");
const project = "Listen42";
const tables = ["ratings", "sessions"] as const;
let service: RunningEmulator;
let ids: string[];

/** Three snapshots with models: the second has a list and a body of its own, the third has the bodies of the first. */
beforeAll(async () => {
  service = await startEmulator({ load: [join(goldenDir, "tiny-pairwise.json")] });
  for (const row of [0, 1, 0]) {
    service.faults.set([{ operation: "listRatings", fault: { kind: "double_row", row } }]);
    await exportTo(lake, service, { tables });
  }
  service.faults.set([]);
  ids = await listSnapshots(lake, project);
  for (const id of ids) {
    mkdirSync(join(lake, project, "derived", id), { recursive: true });
    writeFileSync(join(lake, project, "derived", id, "metric_elo.parquet"), "x".repeat(1000));
  }
});
afterAll(async () => {
  await service.close();
  rmSync(root, { recursive: true });
});

/** What the system counts below the project's folder, each file once. */
function counted(): number {
  const { stdout } = spawnSync("du", ["-s", "--apparent-size", "-B1", ...readdirSync(join(lake, project))], {
    cwd: join(lake, project),
    encoding: "utf8",
  });
  return [...stdout.matchAll(/^\d+/gm)].reduce((sum, [bytes]) => sum + Number(bytes), 0);
}

const asked = async <T>(...args: string[]) => {
  const { code, stdout, stderr } = await recountHere([...args, "--lake", lake, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as T;
};

it("du counts each file once, as the system does, and says what a pruning would free", async () => {
  const [usage] = await asked<(ProjectUsage & { prune: Pruning })[]>("du", "--keep-last", "2", "--keep-models", "1");
  expect(usage?.unique_bytes).toBe(counted());
  expect(usage?.bytes).toBeGreaterThan(usage?.unique_bytes ?? Infinity);
  const sizes = Object.fromEntries(usage?.places.map(({ place, files }) => [place, files]) ?? []);
  expect(sizes).toMatchObject({ manifests: 3, parts: 9, bodies: 4, models: 3 });
  expect(usage?.prune).toMatchObject({ removed: ids.slice(0, 1), models_removed: ids.slice(0, 2), raw_removed: 0 });
  const { stdout } = await recountHere(["du", "--lake", lake]);
  expect(stdout).toMatch(/^Listen42: 3 snapshots\n\n +files +size +on disk\nmanifests +3 /);
  expect(stdout).toMatch(
    /Would remove the models of 2 snapshots; [\d.]+ kB would be freed, 3 snapshots would stay\.\n$/,
  );
});

it("list shows what each snapshot takes, and what only it holds", async () => {
  const all = await asked<{ bytes: number; own_bytes: number; raw_bytes: number; models_bytes: number }[]>(
    "snapshots",
    "list",
  );
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
  expect(planned).toMatchObject({ removed: ids.slice(0, 2), kept: ids.slice(2), models_removed: ids, raw_removed: 1 });
  expect(await asked<Pruning>(...prune)).toEqual(planned);
  expect(before - counted()).toBe(planned.freed_bytes);
  expect(await verifyProject(lake, project)).toMatchObject({ problems: [], leftovers: [] });
});

it("prune without a rule is refused, and the older --keep still counts the newest", async () => {
  expect(await recountHere(["snapshots", "prune", "--lake", lake])).toMatchObject({
    ...{ code: 4, stdout: "" },
    stderr: expect.stringMatching(/^recount: prune needs at least one of --keep-last, --keep-daily, /) as string,
  });
  expect(await asked<Pruning>("snapshots", "prune", "--keep", "1")).toMatchObject({ removed: [], kept: ids.slice(2) });
});

/** Runs with these settings; `during` is called between the export and the audit. */
async function run(changed: Partial<Settings>, during = () => undefined): Promise<string[]> {
  const client = createClient({ baseUrl: service.url, credentials: { scheme: "api-key", key: service.apiKey } });
  const settings = { ...settingsOf({}, join(root, "p.yaml")), lake, tables, ...changed };
  const warnings: string[] = [];
  const log = createLog(({ message }) => warnings.push(message), "warn");
  try {
    const display = { log, onProgress: () => undefined, onTasks: () => undefined, stop: during };
    await exportAndAudit(client, project, settings, display, { clock: systemClock });
  } finally {
    await client.close();
  }
  return warnings;
}

it("a run removes what its pipeline does not keep, and nobody can prune while it audits", async () => {
  expect(settingsOf({}, "p.yaml")).toMatchObject({ keep: defaultRetention });
  expect(settingsOf({ keep: "all" }, "p.yaml")).toMatchObject({ keep: null });
  expect(settingsOf({ export: { keep_snapshots: 3 } }, "p.yaml")).toMatchObject({ keep: { last: 3 } });
  expect(settingsOf({ keep: { daily: 9 } }, "p.yaml")).toMatchObject({ keep: { daily: 9, models: 1 } });
  await run({ keep: null });
  expect(await listSnapshots(lake, project)).toHaveLength(2);
  let refused: Promise<unknown> = Promise.resolve();
  const warnings = await run({ keep: { last: 2, models: 1 } }, () => {
    refused = pruneSnapshots(lake, project, { last: 1 }).catch(String);
    return undefined;
  });
  expect(warnings).toEqual([]);
  expect(await refused).toMatch(/is being written by another run/);
  const kept = await listSnapshots(lake, project);
  expect(kept).toHaveLength(2);
  expect(kept).not.toContain(ids[2]);
  expect(readdirSync(join(lake, project, "derived"))).toEqual(kept.slice(1));
});

it.runIf(isWhole("nights"))("a run over a damaged old snapshot does its work, removes nothing and warns", async () => {
  const kept = await listSnapshots(lake, project);
  const manifest = join(lake, project, "snapshots", kept[0] ?? "", "manifest.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, "{");
  const warnings = await run({ keep: { last: 1 } });
  expect(warnings).toEqual([expect.stringMatching(/^Old snapshots were not removed: .*manifest\.json is not JSON/)]);
  expect(await listSnapshots(lake, project)).toHaveLength(3);
  writeFileSync(manifest, text);
});

/** What a folder takes on the disk, each file once. */
function blocksOf(folder: string): number {
  const seen = new Map<string, number>();
  for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })]) {
    const { dev, ino, blocks } = statSync(join(folder, name));
    seen.set(`${dev}:${ino}`, 512 * blocks);
  }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
}

type Night = (lake: string, emulator: RunningEmulator) => Promise<unknown>;

/** `recount run` as it is by default, with every output of a night. */
const wholeRun: Night = async (at, { url, projectId, apiKey }) => {
  const file = join(at, "../night.yaml");
  const outputs = "{ audit: out/audit.json, report: out/report.html, summary: out/run.json, metrics: out/run.prom }";
  writeFileSync(file, `lake: lake\noutputs: ${outputs}\n`);
  const env = { RECOUNT_BASE_URL: url, RECOUNT_PROJECT_ID: projectId, RECOUNT_API_KEY: apiKey };
  const { code, stderr } = await recountHere(["run", file, "-q"], env);
  expect([0, 2], stderr).toContain(code);
};
const tiny = { load: [join(goldenDir, "tiny-pairwise.json")] };
const nights: readonly [title: string, options: EmulatorOptions, night: Night, mostKb: number][] = [
  ["a run of a project with 20 requests", tiny, wholeRun, 25],
  ["an export of the sample project, 145 requests", {}, exportTo, 100],
  ["a run of the sample project", {}, wholeRun, 100],
];

it.each(everyNth("nights", nights, 3))(
  "an unchanged night takes no more space than its manifest and a folder for each experiment: %s",
  async (title, options, night, mostKb) => {
    const at = join(root, title.replaceAll(/\W/g, "-"));
    mkdirSync(at);
    const emulator = await startEmulator(options);
    await night(join(at, "lake"), emulator);
    const first = blocksOf(at);
    await night(join(at, "lake"), emulator);
    const second = blocksOf(at);
    await emulator.close();
    expect((second - first) / 1000).toBeLessThan(mostKb);
    expect(second).toBeGreaterThan(first);
  },
);

it("the record of runs is bounded, and remembers the last success", async () => {
  const line = (i: number, exit_code: number): RunLine => ({
    ...{ run: `r${i}`, started_at: `2026-01-01T00:00:0${i}Z`, ended_at: null, exit_code, error: null },
    ...{ snapshot: null, rows: null, bytes: null, numbers: null },
  });
  for (const i of [1, 2, 3, 4, 5]) await noteRun(lake, "P1", line(i, i === 2 ? 0 : 3));
  await shortenRuns(lake, "P1", { kept: 2, atMost: 5 });
  expect(await readRuns(lake, "P1")).toHaveLength(5);
  await shortenRuns(lake, "P1", { kept: 2, atMost: 4 });
  expect((await readRuns(lake, "P1")).map(({ run }) => run)).toEqual(["r2", "r4", "r5"]);
});
