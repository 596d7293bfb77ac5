import { cpSync, readdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ExportReport } from "../../src/extract/index.js";
import { importSnapshot, readMapping } from "../../src/import/index.js";
import {
  type Manifest,
  noteRun,
  pruneSnapshots,
  readSnapshot,
  verifyProject,
} from "../../src/lake/index.js";
import { goldenPaths } from "../support/golden-case.js";
import { exportTo } from "../support/export-to-lake.js";
import { writeStudy } from "../support/study-files.js";
import { reseal } from "../support/reseal.js";
import { everyNth, isWhole } from "../support/whole.js";
import { testProject } from "../support/project.js";

const { service, path, folder } = await testProject({
  load: goldenPaths("tiny-pairwise"),
  faults: [
    {
      operation: "listRatings",
      fault: { kind: "raw_value", row: 3, field: "score", text: "1e400" },
    },
  ],
});
const tables = ["experiments", "ratings", "sessions", "slates", "results"] as const;

const ways: Record<
  "export" | "import",
  (lake: string) => Promise<{ project: string } & ExportReport>
> = {
  export: async (lake) => ({
    project: service.projectId,
    ...(await exportTo(lake, service, { tables })),
  }),
  async import(lake) {
    await exportTo(path("source"), service, { tables });
    const more = [{ rater_id: "1", stimulus: "A", score: "x", dimension: "" }];
    const mapping = await readMapping(await writeStudy(path("source"), "exp1", folder, { more }));
    return { project: "exp1", ...(await importSnapshot(mapping, { lake })) };
  },
};

describe.each(everyNth(["export", "import"] as const, 2))("verify, of an %s,", async (way) => {
  const lake = path(way);
  const { project, snapshot } = await ways[way](lake);

  const files = () =>
    readdirSync(join(lake, project), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map((entry) => join(entry.parentPath, entry.name));

  /** One file of each kind; nobody keeps the bodies of files. */
  const kinds = {
    manifest: /manifest\.json$/,
    listing: /tables\.(sql|json)$/,
    part: /ratings.*\.parquet$/,
    quarantine: /\.jsonl$/,
    ...(way === "export" ? { raw: /\.json\.gz$/ } : {}),
    current: /current$/,
  };

  it.each(Object.entries(kinds))(
    "finds one flipped bit anywhere in the %s, and names the file",
    async (_, pattern) => {
      const file = files().find((path) => pattern.test(path)) ?? "";
      const sound = readFileSync(file);
      const positions = new Set([
        ...Array.from({ length: 12 }, (_, i) => Math.floor((i * (sound.length - 1)) / 11)),
        4,
        8,
        9,
        sound.length - 9,
      ]);
      const within = [...positions].filter((at) => at >= 0 && at < sound.length);
      for (const position of everyNth(within, 8)) {
        const damaged = Buffer.from(sound);
        damaged[position] = (damaged[position] ?? 0) ^ (1 << (position % 8));
        writeFileSync(file, damaged);
        const { problems } = await verifyProject(lake, project);
        expect(
          problems.map((one) => one.file),
          `byte ${position}`,
        ).toContain(file);
      }
      writeFileSync(file, sound);
    },
  );

  it("a part with one flipped bit is read by no command", async () => {
    const file = files().find((path) => kinds.part.test(path)) ?? "";
    const sound = readFileSync(file);
    const damaged = Buffer.from(sound);
    damaged[sound.length >> 1]! ^= 1;
    writeFileSync(file, damaged);
    await expect(readSnapshot(lake, project)).rejects.toMatchObject({
      message: `${file} is not what the manifest lists: it has another SHA-256. Run \`recount verify\`.`,
      exitCode: 3,
    });
    writeFileSync(file, sound);
  });

  it.each(Object.entries(kinds))("detects that the %s is missing", async (_, pattern) => {
    const file = files().find((path) => pattern.test(path)) ?? "";
    const sound = readFileSync(file);
    unlinkSync(file);
    expect((await verifyProject(lake, project)).problems.map((one) => one.file)).toContain(file);
    writeFileSync(file, sound);
  });

  it("finds a file that no manifest names, and a manifest in another snapshot's place", async () => {
    const stray = join(lake, project, "snapshots", snapshot, "ratings.part-9.parquet");
    writeFileSync(stray, "x");
    const copy = join(lake, project, "snapshots", "20990101T000000Z-aaaaaa");
    cpSync(join(lake, project, "snapshots", snapshot), copy, { recursive: true });
    const { problems } = await verifyProject(lake, project);
    expect(problems).toContainEqual({ file: stray, problem: "is not in the manifest" });
    expect(problems.map((one) => one.file)).toContain(join(copy, "manifest.json"));
    rmSync(copy, { recursive: true });
    unlinkSync(stray);
  });

  const sessions = (change: object) => (manifest: Manifest) => ({
    ...manifest,
    units: manifest.units.map((unit) =>
      unit.operation === "listSessions" ? { ...unit, ...change } : unit,
    ),
  });

  it.each<[string, (manifest: Manifest) => object, RegExp]>([
    ["impossible counts", sessions({ elements: 1_000_000 }), /does not account for all/],
    [
      "rows of a request that was refused",
      sessions({ state: "not_permitted" }),
      /was refused \(not_permitted\), and what/,
    ],
    [
      "requests of an experiment that it does not list",
      (one) => ({ ...one, experiments: [] }),
      /not among its experiments/,
    ],
  ])("finds %s, even under a valid seal", async (_, change, problem) => {
    const file = join(lake, project, "snapshots", snapshot, "manifest.json");
    const sound = readFileSync(file);
    reseal(file, change);
    const { problems } = await verifyProject(lake, project);
    expect(problems.map((one) => one.problem).join("\n")).toMatch(problem);
    writeFileSync(file, sound);
    expect((await verifyProject(lake, project)).problems).toEqual([]);
  });
});

const project = service.projectId;
it.runIf(isWhole)(
  "finds a `current` that was set back, and takes no killed export or pruning for one",
  async () => {
    const own = path("returned");
    const made = [];
    for (let night = 0; night < 4; night++)
      made.push((await exportTo(own, service, { tables: ["sessions"] })).snapshot);
    const [first = "", second = "", third = "", last = ""] = made;
    const named = async (snapshot: string) => {
      writeFileSync(join(own, project, "current"), `${snapshot}\n`);
      return (await verifyProject(own, project)).problems.map(({ problem }) => problem);
    };
    expect(await named(last)).toEqual([]);
    // As a kill leaves it between the last two writes.
    expect(await named(third)).toEqual([]);
    expect(await named(first)).toEqual([
      expect.stringMatching(`^names ${first}, but ${third} has been current after it`),
    ]);
    expect(await named(second)).toHaveLength(1);
    const run = {
      run: "r1",
      started_at: "2026-01-01T00:00:00Z",
      ended_at: "2026-01-01T00:01:00Z",
      exit_code: 0,
    };
    await noteRun(own, project, {
      ...run,
      error: null,
      snapshot: last,
      rows: 1,
      bytes: 1,
      numbers: null,
    });
    expect(await named(third)).toEqual([
      expect.stringContaining(`but ${last} has been current after it`),
    ]);
    await named(last);
    await pruneSnapshots(own, project, { last: 1 });
    expect((await verifyProject(own, project)).problems).toEqual([]);
  },
);
