import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { resolve, type KnownSources } from "../../src/audit/read/read-published.js";
import type { References } from "../../src/audit/read/records.js";
import { initialState } from "../../src/emulator/sample/sample.js";
import { conventionWith, defaultConvention } from "../../src/emulator/scoring/convention.js";
import { countedSlates } from "../../src/emulator/scoring/population.js";
import { score, type ScoredKind } from "../../src/emulator/scoring/score.js";
import type { Study } from "../../src/emulator/state.js";
import type { Warehouse } from "../../src/warehouse/index.js";
import { goldenDir, loadCase } from "../support/load-case.js";
import { audit, publishIn, type PublishedResult } from "../support/audit/published-case.js";

const refs = (given: Partial<References>): References => ({
  home: null,
  sources: [],
  experiments: [],
  jobs: [],
  leaderboards: [],
  ...given,
});

const known: KnownSources = {
  experiments: new Map([
    ["exp1", "First"],
    ["exp2", "Second"],
    ["exp3", "Second"],
  ]),
  jobs: new Map([
    ["a", ["exp1"]],
    ["b", ["exp1"]],
    ["c", ["exp1"]],
    ["d", ["exp2"]],
    ["e", ["exp1", "exp2"]],
  ]),
  dimensions: new Map(),
  leaderboards: new Map([
    ["Board", ["exp2"]],
    ["Both", ["exp1", "exp2"]],
  ]),
  sets: new Set(["exp1/a,b"]),
};

describe("the source of a result", () => {
  test.each([
    ["nothing: the experiment itself", { home: "exp1" }, "exp1", ""],
    ["the experiment", { home: "exp1", sources: ["exp1"] }, "exp1", ""],
    ["one job", { home: "exp1", sources: ["b"] }, "exp1", "b"],
    [
      "several jobs, in any order, twice",
      { home: "exp1", sources: ["b", "a", "b"] },
      "exp1",
      "a,b",
    ],
    ["a job beside its experiment", { home: "exp1", sources: ["a", "exp1"] }, "exp1", ""],
    ["another experiment", { home: "exp1", sources: ["exp2"] }, "exp2", ""],
    ["a job of another experiment", { home: "exp1", sources: ["d"] }, "exp2", "d"],
    ["a job that two experiments have: the own one", { home: "exp1", sources: ["e"] }, "exp1", "e"],
    ["an experiment's name", { sources: ["First"] }, "exp1", ""],
    ["a leaderboard that is listed", { sources: ["Board"] }, "exp2", ""],
    [
      "a leaderboard that only the record knows",
      { sources: ["Other"], leaderboards: ["Other"], experiments: ["exp1"] },
      "exp1",
      "",
    ],
    ["nothing, but the record has an experiment", { experiments: ["exp2"] }, "exp2", ""],
    ["nothing, but the record has a job", { experiments: ["exp1"], jobs: ["c"] }, "exp1", "c"],
    [
      "an experiment, of which the record names jobs",
      { sources: ["exp1"], jobs: ["c", "a"] },
      "exp1",
      "a,c",
    ],
  ])("%s", (_, given, experiment_id, source) => {
    expect(resolve(known, refs(given))).toEqual({ experiment_id, source });
  });

  test.each([
    [
      { home: "exp1", sources: ["zzz"] },
      'source: "zzz" is not a job, experiment or leaderboard of this snapshot',
    ],
    [
      { sources: ["exp1", "exp2"] },
      "the record pools experiments (exp1, exp2), and no definition says how",
    ],
    [
      { sources: ["a", "d"] },
      "the record pools experiments (exp1, exp2), and no definition says how",
    ],
    [
      { sources: ["Both"] },
      "the record pools experiments (exp1, exp2), and no definition says how",
    ],
    [
      { sources: ["Second"] },
      'source: "Second" is not a job, experiment or leaderboard of this snapshot',
    ],
    [{ experiments: ["gone"] }, '"gone" is not an experiment or job of this snapshot'],
    [{}, "the record names no experiment"],
  ])("reports a source that cannot be resolved: %j", (given, problem) => {
    expect(resolve(known, refs(given))).toMatchObject({ problem });
  });
});

const kindsOf: Record<string, ScoredKind[]> = {
  "codec-preference": ["win_loss", "percent_chosen", "elo", "bayesian_elo"],
  acr: ["mean", "stats"],
  approval: ["percent_approved"],
};

describe.each(Object.keys(kindsOf))("%s: numbers of several jobs", (file) => {
  let warehouse: Warehouse;
  let study: Study;
  let jobs: string[];

  /** Every second session of the second job moves to a third job, in the warehouse and in the emulator's study. */
  const third = (session: string, job: string): string =>
    job === jobs[1] && session.charCodeAt(session.length - 1) % 2 === 0 ? "thirdjob" : job;

  beforeAll(async () => {
    warehouse = await loadCase(`${file}.json`, { threads: 2 });
    const state = await initialState({ load: [join(goldenDir, `${file}.json`)] });
    study = [...state.projects.values()].flatMap((p) => [...p.studies.values()])[0] as Study;
    jobs = [...new Set(study.slates.map((slate) => slate.job_id))].sort();
    for (const [table, session] of [
      ["ratings", "session_id"],
      ["slate_ratings", "session_id"],
      ["slates", "session_id"],
      ["sessions", "id"],
    ] as const) {
      await warehouse.all(`create table moved_${table} as select * replace
        (case when job_id = '${jobs[1] ?? ""}' and unicode(right(${session}, 1)) % 2 = 0 then 'thirdjob' else job_id end as job_id) from ${table};
        create or replace view ${table} as from moved_${table}`);
    }
  });
  afterAll(() => {
    warehouse.close();
  });

  /** Scored by the emulator, which shares no code with the audit. */
  function published(kind: ScoredKind, source: string, conventions = {}): PublishedResult {
    const wanted = source.split(",").map((job) => job.trim());
    const slates = study.slates.filter((slate) =>
      wanted.includes(third(slate.session_id, slate.job_id)),
    );
    const dimension = slates[0]?.ratings[0]?.dimension ?? "";
    const convention = conventionWith(conventions, defaultConvention);
    const answers = { sessions: [...study.sessions.values()], slates };
    return {
      kind,
      dimension,
      source,
      scores: score(kind, dimension, countedSlates(answers, convention), convention),
    };
  }

  test("are reproduced for any set of jobs, in any order", async () => {
    const [a = "", b = ""] = jobs;
    const sets = [`${b},${a}`, `thirdjob, ${a}`, `thirdjob,${b},${a}`];
    await publishIn(
      warehouse,
      study.experiment.id,
      (kindsOf[file] ?? []).flatMap((kind) => sets.map((source) => published(kind, source))),
    );
    const report = await audit(warehouse, {
      elo: { permutations: 0 },
      bradley_terry: { rater_samples: 0 },
    });
    expect(report.rows.filter((r) => r.verdict !== "exact")).toEqual([]);
    expect([...new Set(report.rows.map((r) => r.source))]).toEqual(
      [`${a},${b}`, `${a},${b},thirdjob`, `${a},thirdjob`].sort(),
    );
    expect(report.rows.length).toBeGreaterThan(10);
  });

  test("are explained like those of one job", async () => {
    const [a = "", b = ""] = jobs;
    const [kind = "mean"] = kindsOf[file] ?? [];
    const whole = published(kind, `${a},${b},thirdjob`);
    const wrong = published(kind, `${a},thirdjob`);
    const rows = wrong.scores as Record<string, number>[];
    for (const field of ["wins", "value"])
      if (field in (rows[0] ?? {}))
        (rows[0] as Record<string, number>)[field] = (rows[0]?.[field] ?? 0) + 7;
    await publishIn(warehouse, study.experiment.id, [{ ...whole, source: `${b},${a}` }, wrong]);
    const report = await audit(warehouse, {
      elo: { permutations: 0 },
      bradley_terry: { rater_samples: 0 },
    });
    const [of, off] = [`${a},${b}`, `${a},thirdjob`].map((source) =>
      report.rows.filter((r) => r.source === source && r.verdict !== "exact"),
    );
    expect(new Set(of?.map((r) => r.explanation))).toEqual(new Set(["job=all"]));
    expect(off?.map((r) => r.verdict)).toEqual(["unexplained"]);
  });
});

describe("a result that names another experiment", () => {
  test("is compared with that experiment; an unknown source is not auditable", async () => {
    const warehouse = await loadCase("tiny-pairwise.json");
    const scores = [
      ["A", 62.5],
      ["B", 44.44444444444444],
      ["C", 42.857142857142854],
    ];
    await publishIn(warehouse, "elsewhere", [
      { kind: "percent_chosen", source: "exp1", scores },
      { kind: "percent_chosen", source: "nowhere", scores },
    ]);
    const report = await audit(warehouse, {
      elo: { permutations: 0 },
      bradley_terry: { rater_samples: 0 },
    });
    warehouse.close();
    expect(report.summary).toMatchObject({ exact: 3, not_auditable: 1, unexplained: 0 });
    expect(report.rows.map((r) => [r.experiment_id, r.source, r.published_in])).toEqual([
      ["elsewhere", "nowhere", "results"],
      ...Array.from({ length: 3 }, () => ["exp1", "", "results of elsewhere"]),
    ]);
  });
});
