import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diffSnapshots } from "../../src/changes/index.js";
import { renderDiff } from "../../src/report/index.js";
import { type ExportReport, type Selection } from "../../src/extract/index.js";
import {
  diffManifests,
  pruneSnapshots,
  summariseSnapshots,
  verifyProject,
} from "../../src/lake/index.js";
import { startEmulator } from "../../src/emulator/index.js";
import { folderOfTests } from "../support/folder.js";
import { forwarder, type Forwarder } from "../support/forwarder.js";
import { goldenDir } from "../support/golden-case.js";
import { exportTo } from "../support/export-to-lake.js";

const dir = folderOfTests("recount-history");
const lake = join(dir, "lake");
let projectId = "";
let gate: Forwarder;

interface CaseFile {
  sessions: { id: string }[];
  slates: { id: number; session_id: string }[];
  ratings: { session_id: string }[];
}

async function exported(file: string, selection?: Selection): Promise<ExportReport> {
  const service = await startEmulator({ load: [file] });
  gate.services.set("", service.url);
  projectId = service.projectId;
  const served = { ...service, url: gate.origin };
  return exportTo(lake, served, selection ? { selection } : {}).finally(() => service.close());
}

const whole = join(goldenDir, "tiny-pairwise.json");
const less = join(dir, "less.json");
let reports: ExportReport[];

beforeAll(async () => {
  gate = await forwarder();
  const body = JSON.parse(readFileSync(whole, "utf8")) as CaseFile;
  const kept = <T extends { session_id: string }>(rows: T[]) =>
    rows.filter(({ session_id }) => session_id !== "s1x0003");
  writeFileSync(
    less,
    JSON.stringify({
      ...body,
      sessions: body.sessions.filter(({ id }) => id !== "s1x0003"),
      slates: kept(body.slates),
      ratings: kept(body.ratings),
    }),
  );
  reports = [
    await exported(whole),
    await exported(whole),
    await exported(less),
    await exported(less, { ids: [], names: ["*"], types: [] }),
  ];
});
afterAll(() => gate.close());

const manifest = (i: number) => (reports[i] as ExportReport).manifest;

describe("the history of a lake", () => {
  it("diff names the rows that went by key, and the numbers and ranks that moved with them", async () => {
    const ids = [1, 2].map((i) => manifest(i).snapshot);
    const diff = await diffSnapshots(lake, projectId, { before: ids[0], after: ids[1] });
    const sessions = diff.tables.find(({ table }) => table === "sessions");
    expect(sessions).toMatchObject({ added: 0, removed: 1, key: ["experiment_id", "id"] });
    expect(sessions?.examples[0]).toMatchObject({
      state: "removed",
      key: { experiment_id: "exp1", id: "s1x0003" },
    });
    const results = diff.tables.find(({ table }) => table === "results");
    expect(results?.changed).toBeGreaterThan(0);
    // Several results of one kind differ only in the rest of their key.
    expect(results?.key).toEqual(["experiment_id", "kind", "dimension", "source", "asked_source"]);
    expect(Object.keys(results?.examples[0]?.columns ?? {})).toEqual(["scores"]);
    expect(diff.numbers.some(({ kind, before, after }) => kind === "elo" && before !== after)).toBe(
      true,
    );
    const text = renderDiff(diff, 3);
    expect(text).toContain("removed experiment_id=exp1 id=s1x0003");
    expect(text).toMatch(
      /: \d+ published numbers, \d+ rows and \d+ recomputed numbers differ\.\n\n.*: published \S+ → \S+\n/,
    );
  });

  it("records a deletion between two complete snapshots, and shows it", () => {
    const gone = manifest(2).tombstones ?? [];
    expect(gone).toContainEqual({ table: "sessions", experiment_id: "exp1", ids: ["s1x0003"] });
    expect(gone.find(({ table }) => table === "slates")?.ids).toEqual([
      "1013",
      "1014",
      "1015",
      "1016",
    ]);
    const { changed, tombstones } = diffManifests(manifest(1), manifest(2));
    expect(changed).toContainEqual({
      table: "sessions",
      experiment_id: "exp1",
      rows_before: 4,
      rows_after: 3,
    });
    expect(tombstones).toEqual(gone);
  });

  it("records no deletion if the selection differs: what was not read is not deleted", () => {
    expect(manifest(3).tombstones).toBeUndefined();
  });

  it("is pruned to the newest, and the rest still verifies", async () => {
    const before = await summariseSnapshots(lake, projectId);
    expect(before.map(({ is_current }) => is_current)).toEqual([false, false, false, true]);
    const { removed, kept } = await pruneSnapshots(lake, projectId, { last: 1 });
    expect([removed.length, kept]).toEqual([3, [manifest(3).snapshot]]);
    expect(readdirSync(join(lake, projectId, "snapshots"))).toEqual(kept);
    expect(await verifyProject(lake, projectId)).toMatchObject({ problems: [] });
    expect((await pruneSnapshots(lake, projectId, { last: 1 })).removed).toEqual([]);
  });
});
