import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createClient } from "../../src/client/index.js";
import {
  startEmulator,
  type EmulatorOptions,
  type RunningEmulator,
} from "../../src/emulator/index.js";
import { defaultRetention, listSnapshots, pruneSnapshots } from "../../src/lake/index.js";
import { exportAndAudit } from "../../src/pipeline/export-and-audit.js";
import { projectSettingsOf, type Settings } from "../../src/pipeline/settings.js";
import { createLog, systemClock } from "../../src/platform/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenPaths } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { testProject } from "../support/project.js";

const { service, path, folder: root } = await testProject();
const lake = path("lake");
const project = service.projectId;
const tables = ["ratings", "sessions"] as const;

async function run(changed: Partial<Settings>, during = () => undefined): Promise<string[]> {
  const client = createClient({
    baseUrl: service.url,
    credentials: { scheme: "api-key", key: service.apiKey },
  });
  const settings = { ...projectSettingsOf({}, join(root, "p.yaml")), lake, tables, ...changed };
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
  expect(projectSettingsOf({}, "p.yaml")).toMatchObject({ keep: defaultRetention });
  expect(projectSettingsOf({ keep: "all" }, "p.yaml")).toMatchObject({ keep: null });
  expect(projectSettingsOf({ keep: { daily: 9 } }, "p.yaml")).toMatchObject({
    keep: { daily: 9, models: 1 },
  });
  for (let night = 0; night < 2; night++) await run({ keep: null });
  const [first] = await listSnapshots(lake, project);
  let refused: Promise<unknown> = Promise.resolve();
  const warnings = await run({ keep: { last: 2, models: 1 } }, () => {
    refused = pruneSnapshots(lake, project, { last: 1 }).catch(String);
    return undefined;
  });
  expect(warnings).toEqual([]);
  expect(await refused).toMatch(/is being written by another run/);
  const kept = await listSnapshots(lake, project);
  expect(kept).toHaveLength(2);
  expect(kept).not.toContain(first);
  expect(readdirSync(join(lake, project, "derived"))).toEqual([".kept", ...kept.slice(1)]);
});

it("a run over a damaged old snapshot does its work, removes nothing and warns", async () => {
  const kept = await listSnapshots(lake, project);
  const manifest = join(lake, project, "snapshots", kept[0] ?? "", "manifest.json");
  const text = readFileSync(manifest, "utf8");
  writeFileSync(manifest, "{");
  const warnings = await run({ keep: { last: 1 } });
  expect(warnings).toEqual([
    expect.stringMatching(/^Old snapshots were not removed: .*manifest\.json is not JSON/),
  ]);
  expect(await listSnapshots(lake, project)).toHaveLength(3);
  writeFileSync(manifest, text);
});

function blocksOf(folder: string): number {
  const seen = new Map<string, number>();
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  // There is one database, which is replaced: the same rows fill a page of 262 kB more or less.
  for (const name of ["", ...names.filter((one) => !one.endsWith("recount.duckdb"))]) {
    const { dev, ino, blocks } = statSync(join(folder, name));
    seen.set(`${dev}:${ino}`, 512 * blocks);
  }
  return [...seen.values()].reduce((sum, bytes) => sum + bytes, 0);
}

type Night = (lake: string, emulator: RunningEmulator) => Promise<unknown>;

const wholeRun: Night = async (at, { url, projectId, apiKey }) => {
  const file = join(at, "../night.yaml");
  const outputs =
    "{ audit: out/audit.json, report: out/report.html, summary: out/run.json, metrics: out/run.prom }";
  writeFileSync(file, `lake: lake\noutputs: ${outputs}\n`);
  const env = { RECOUNT_BASE_URL: url, RECOUNT_PROJECT_ID: projectId, RECOUNT_API_KEY: apiKey };
  const { code, stderr } = await recountHere(["run", file, "-q"], env);
  expect([0, 2], stderr).toContain(code);
};
const tiny = { load: goldenPaths("tiny-pairwise") };
const nights: readonly [title: string, options: EmulatorOptions, night: Night, mostKb: number][] = [
  ["a run of a project with 20 requests", tiny, wholeRun, 90],
  ["an export of the sample project, 145 requests", {}, exportTo, 300],
  ["a run of the sample project", {}, wholeRun, 300],
];

it.each(nights)(
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
