import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { FaultRule } from "../../src/emulator/index.js";
import type { Manifest } from "../../src/lake/index.js";
import { goldenPaths } from "../support/golden-case.js";
import { recountHere } from "../support/in-process.js";
import { testProject } from "../support/project.js";
import { reseal } from "../support/reseal.js";
import { everyNth, isWhole } from "../support/whole.js";

const project = await testProject({ load: goldenPaths("tiny-pairwise", "two-dimensions") });
const { service, path } = project;

interface Broken {
  readonly fault: FaultRule;
  readonly check: string;
  readonly rows: number;
}

const twice: Broken = {
  fault: {
    operation: "listSessions",
    experiment: "exp1",
    fault: { kind: "double_row", row: 0 },
  },
  check: "assert_sessions_unique",
  rows: 1,
};

const contradictions: Record<string, Broken> = {
  "a score that differs between ratings and slates": {
    fault: {
      operation: "listRatings",
      experiment: "exp1",
      fault: { kind: "raw_value", row: 0, field: "score", text: "0.25" },
    },
    check: "assert_ratings_match_slates",
    rows: 2,
  },
  "a session that is listed twice": twice,
  "an experiment whose own record names another type than the list": {
    fault: {
      operation: "listExperiments",
      fault: { kind: "other", field: "type", text: '"mushra"' },
    },
    check: "assert_experiment_types",
    rows: 2,
  },
};

const bundle = path("evidence.zip");

/** Every command that reads a snapshot; `npm test` runs the first three. A bundle is written before it is verified. */
const readers: readonly (readonly string[])[] = [
  ["audit"],
  ["verify"],
  ["transform", "--models", "published"],
  ["transform"],
  ["audit", "--bundle", bundle],
  ["verify", bundle],
  ["report", "-o", path("report.html")],
];

async function saidOf(lake: string, commands: readonly (readonly string[])[]) {
  const said: Record<string, unknown> = {};
  for (const args of commands) {
    const { code, stderr } = await recountHere([...args, "--lake", lake, "-q"]);
    said[args.join(" ")] = [code, /The snapshot is incomplete.*\n$/.exec(stderr)?.[0] ?? stderr];
  }
  return said;
}

const alike = (commands: readonly (readonly string[])[], said: readonly unknown[]) =>
  Object.fromEntries(commands.map((args) => [args.join(" "), said]));

function manifestIn(lake: string, projectId: string): { file: string; manifest: Manifest } {
  const snapshots = join(lake, projectId, "snapshots");
  const file = join(snapshots, readdirSync(snapshots).toSorted().at(-1) ?? "", "manifest.json");
  return { file, manifest: JSON.parse(readFileSync(file, "utf8")) as Manifest };
}

const failedIn = ({ checks = [] }: Manifest) => checks.filter(({ rows }) => rows > 0);

async function exported(lake: string, ...faults: FaultRule[]) {
  service.faults.set(faults);
  const outcome = await project.recount(["export", "-q", "--lake", lake]);
  service.faults.set([]);
  return outcome;
}

const lineOf = (rows: number) =>
  `The snapshot is incomplete: ${rows} violation${rows === 1 ? "" : "s"} of the data's rules.\n`;

describe("data that contradict themselves end every command with 2 and the same words", () => {
  it.each(everyNth(Object.entries(contradictions), 3))(
    "%s: every command that reads it",
    async (name, { fault, check, rows }) => {
      const lake = path(name);
      const said = [2, lineOf(rows)];
      // Then only what changes is checked.
      await exported(lake);
      expect(await exported(lake, fault)).toEqual({
        code: 2,
        stdout: "",
        stderr: `recount: ${lineOf(rows)}`,
      });
      const { manifest } = manifestIn(lake, service.projectId);
      expect(failedIn(manifest)).toEqual([{ name: check, severity: "error", rows }]);
      const commands = isWhole ? readers : readers.slice(0, 3);
      expect(await saidOf(lake, commands)).toEqual(alike(commands, said));
    },
  );

  it.runIf(isWhole).each(Object.entries(contradictions))(
    "%s: a run",
    async (name, { fault, rows }) => {
      const file = path("run.yaml");
      writeFileSync(file, `lake: "run ${name}"\n`);
      service.faults.set([fault]);
      const { code, stderr } = await project.recount(["run", file, "-q"]);
      service.faults.set([]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(lineOf(rows))]);
    },
  );

  it("files of a study whose rows do", async () => {
    writeFileSync(
      path("votes.csv"),
      "rater,page,item,score,time,practice\nann,1,A,3,2025-01-02T10:00:00Z,true\nann,1,B,4,2025-01-02T10:00:00Z,false\n",
    );
    const lines = [
      "study: { id: pages, type: acr }",
      "files: { votes: { path: votes.csv } }",
      "ratings: { from: votes, rater: rater, slate: page, item: item, score: score, time: time, training: practice }",
    ];
    writeFileSync(path("votes.yaml"), lines.join("\n"));
    const lake = path("files");
    const imported = await recountHere(["import", path("votes.yaml"), "-q", "--lake", lake]);
    expect(imported).toEqual({ code: 2, stdout: "", stderr: `recount: ${lineOf(1)}` });
    expect(failedIn(manifestIn(lake, "pages").manifest)).toMatchObject([
      { name: "assert_training_flags", rows: 1 },
    ]);
    const commands = isWhole ? readers : readers.slice(0, 1);
    expect(await saidOf(lake, commands)).toEqual(alike(commands, [2, lineOf(1)]));
  });

  it("in a snapshot of an earlier version, which has no results of checks", async () => {
    const lake = path("earlier");
    await exported(lake, twice.fault);
    const { file } = manifestIn(lake, service.projectId);
    reseal(file, (manifest) => ({ ...manifest, checks: undefined }));
    const commands = isWhole ? readers : [["verify"]];
    expect(await saidOf(lake, commands)).toEqual(alike(commands, [2, lineOf(1)]));
    expect(manifestIn(lake, service.projectId).manifest.checks).toBeUndefined();
  });
});

it("a list that was not exported contradicts nothing", async () => {
  const lake = path("some");
  const args = ["export", "-q", "--lake", lake, "--table", "ratings", "--table", "slate_ratings"];
  expect(await project.recount(args)).toEqual({ code: 0, stdout: "", stderr: "" });
  const { checks = [] } = manifestIn(lake, service.projectId).manifest;
  expect(checks.map(({ name }) => name)).toEqual([
    "assert_correctness_published",
    "assert_correctness_shapes",
    "assert_ratings_match_slates",
    "assert_ratings_unique",
    "assert_scores_finite",
  ]);
});

it("rows are checked once: unchanged files keep what this version found, of another version they are checked again", async () => {
  const lake = path("again");
  await exported(lake);
  const { file, manifest } = manifestIn(lake, service.projectId);
  expect([(manifest.checks ?? []).length > 10, failedIn(manifest)]).toEqual([true, []]);
  const noted = [{ name: "assert_sessions_unique", severity: "error", rows: 3 }];
  reseal(file, (found) => ({ ...found, checks: noted }));
  expect(await exported(lake)).toMatchObject({ code: 2 });
  const next = manifestIn(lake, service.projectId);
  expect(next.manifest.checks).toEqual(noted);
  reseal(next.file, (found) => ({ ...found, recount: "0.0.1" }));
  expect(await exported(lake)).toMatchObject({ code: 0 });
  expect(manifestIn(lake, service.projectId).manifest.checks).toEqual(manifest.checks);
});

it("rows that broke a rule are found again when another experiment changes", async () => {
  const lake = path("both");
  const other: FaultRule = { ...twice.fault, experiment: "exp3" };
  for (const [i, faults] of [[twice.fault], [twice.fault, other], [other]].entries()) {
    await exported(lake, ...faults);
    const failed = failedIn(manifestIn(lake, service.projectId).manifest);
    expect([i, failed.map(({ rows }) => rows)]).toEqual([i, [faults.length]]);
  }
});
