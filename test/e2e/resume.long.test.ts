import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pLimit from "p-limit";
import { beforeAll, describe, expect, it } from "vitest";
import type { TableName } from "../../src/contract/index.js";
import { openSnapshot, verifyProject } from "../../src/lake/index.js";
import { exportTo } from "../support/export-to-lake.js";
import { goldenPaths } from "../support/golden-case.js";
import { recount } from "../support/command-line.js";
import { recountHere } from "../support/in-process.js";
import { preload } from "../support/crash-fixture.js";
import { testProject } from "../support/project.js";

const cases = ["tiny-pairwise", "approval", "acr"];
const tables: TableName[] = ["ratings", "sessions", "results"];
const { service, path } = await testProject({ load: goldenPaths(...cases) });
let whole: string[];
let lakes = 0;

/** A command line and its environment. */
const exportInto = (lake: string, ...more: string[]): [string[], Record<string, string>] => {
  const from = ["--base-url", service.url, "--project", service.projectId];
  const args = ["export", ...from, "--lake", lake, "--concurrency", "2", "--table", ...tables, ...more];
  return [args, { RECOUNT_API_KEY: service.apiKey }];
};
const staging = (lake: string) => join(lake, service.projectId, "staging");

/** The experiments that an interrupted run recorded as complete; a torn last line does not count. */
function noted(lake: string): string[] {
  const journal =
    existsSync(staging(lake)) && readdirSync(staging(lake)).find((name) => name.endsWith(".resume.jsonl"));
  const lines =
    typeof journal !== "string"
      ? []
      : readFileSync(join(staging(lake), journal), "utf8")
          .split("\n")
          .slice(1, -1);
  return lines.map((line) => (JSON.parse(line) as { experiment: { id: string } }).experiment.id);
}

/** Path and digest of every part of the current snapshot, after verifying it. */
async function parts(lake: string): Promise<string[]> {
  expect(await verifyProject(lake, service.projectId)).toMatchObject({ problems: [] });
  const { manifest } = await openSnapshot(lake, service.projectId);
  return manifest.units.flatMap((unit) => unit.parts.map(({ path, sha256 }) => `${path} ${sha256}`)).toSorted();
}

beforeAll(async () => {
  const lake = path("whole");
  await inProcess(lake);
  whole = await parts(lake);
});

interface Killed {
  readonly lake: string;
  readonly code: number | null;
}

/** Kills a run before its `n`th file step that fits `on`. */
async function killedAt(n: number, on: string): Promise<Killed> {
  const lake = path(`lake${lakes++}`);
  const [args, env] = exportInto(lake);
  const dying = { NODE_OPTIONS: `--import ${preload}`, FILES_UNDER: lake, FILES_AT: String(n), FILES_ON: on };
  return { lake, code: (await recount(args, { ...env, ...dying })).code };
}

const two = pLimit(2);
const inProcess = (lake: string) => exportTo(lake, service, { resume: true, concurrency: 2, tables });

/** Resumes a run that was killed; returns the experiments recorded before and those read after. */
async function resumeKilled({ lake, code }: Killed, resume: (lake: string) => Promise<unknown> = inProcess) {
  const before = noted(lake);
  service.faults.clearJournal();
  const resumed = await resume(lake);
  const read = service.faults
    .journal()
    .flatMap(({ operation, experiment }) => (operation === "listRatings" && experiment ? [experiment] : []));
  const asked = new Set(service.faults.journal().flatMap(({ experiment }) => experiment ?? []));
  return {
    killed: code,
    noted: before,
    asked,
    read,
    resumed,
    parts: await parts(lake),
    left: readdirSync(staging(lake)),
  };
}

describe("an export that is killed and resumed", () => {
  it("gives the same parts as an uninterrupted one, wherever it was killed, and requests nothing of complete experiments", async () => {
    const counts = new Set<number>();
    const note = "^sync .*resume.jsonl$";
    // Early, with one, two or all experiments noted (the first line names the run), and with the manifest being written.
    const places = [
      [20, "", 0],
      [2, note, 1],
      [3, note, 2],
      [1, "^rename /\\w+/staging/[^/]+/[^/]+.tmp$", 3],
    ] as const;
    const killed = await Promise.all(places.map(([n, on]) => two(() => killedAt(n, on))));
    for (const [i, one] of killed.entries()) {
      // First through the command line, then through the function that it calls.
      const outcome =
        i === 1
          ? await resumeKilled(one, (lake) => recountHere(...exportInto(lake, "--resume")))
          : await resumeKilled(one);
      if (i === 1) expect(outcome.resumed).toMatchObject({ code: 0 });
      expect(outcome).toMatchObject({ killed: null, left: [], parts: whole });
      expect(outcome.noted.filter((id) => outcome.asked.has(id))).toEqual([]);
      expect(outcome.read).toHaveLength(cases.length - outcome.noted.length);
      expect(new Set(outcome.read).size).toBe(outcome.read.length);
      counts.add(outcome.noted.length);
    }
    expect(counts).toEqual(new Set(places.map(([, , experiments]) => experiments)));
  });

  it.each(["^rename /\\w+/[^/]+.tmp$", "^rm .*resume.jsonl$"])(
    "starts over when the killed export had already published: %s",
    async (on) => {
      const outcome = await resumeKilled(await killedAt(1, on));
      expect(outcome).toMatchObject({ killed: null, left: [], parts: whole });
      expect(outcome.read).toHaveLength(cases.length);
    },
  );
});
