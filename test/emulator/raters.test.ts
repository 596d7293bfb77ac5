import { expect, test } from "vitest";
import { fillJob } from "../../src/emulator/simulation/jobs.js";
import {
  newExperiment,
  newJob,
  newProject,
  newStudy,
  type Job,
  type Project,
} from "../../src/emulator/state.js";

const at = "2026-05-01T08:00:00Z";

const job = (more: Partial<Job> = {}): Job =>
  newJob({
    id: "Job1",
    experiment_id: "Exp1",
    num_sessions: 20,
    num_comparisons: 6,
    num_training: 1,
    pool: 3,
    date_created: at,
    date_launched: at,
    rater_pool: { id: "P", kind: 400, name: "crowd", label: "Crowd" },
    status: "launched",
    config: { strategy: "randomized" },
    ...more,
  });

function projectWith(launched: Job, names: readonly string[]): Project {
  const experiment = newExperiment({
    id: "Exp1",
    name: "",
    type: "pairwise_audio",
    date_created: at,
    dataset_ids: ["D"],
    training_dataset_ids: ["D"],
    config: { strengths: { a: 3, b: 1, c: -1, d: -3 } },
  });
  const dataset = {
    id: "D",
    name: "",
    filename: "",
    status: "ready" as const,
    errors: [],
    retention_days: -1,
    date_created: at,
    date_last_used: at,
    is_deleted: false,
    stimuli: names.map((name, id) => ({
      id,
      source: "s",
      condition: name,
      name,
      is_reference: false,
    })),
    upload: null,
  };
  const project = newProject({ id: "P1", name: "", organization_id: "O", pools: [] });
  project.datasets.set(dataset.id, dataset);
  const study = newStudy(experiment);
  study.jobs.set(launched.id, launched);
  project.studies.set(experiment.id, study);
  return project;
}

function lived(launched: Job, names: readonly string[] = ["a", "b", "c", "d"]) {
  const project = projectWith(launched, names);
  const study = project.studies.get("Exp1") ?? expect.fail("no study");
  fillJob({ counters: { slate: 0, stimulus: 0 } }, project, study, launched, 1);
  return [...study.sessions.values()].map((session) => ({
    session,
    slates: study.slates.filter((slate) => slate.session_id === session.id),
  }));
}

test("the job determines the number of sessions, comparisons and training slates", () => {
  const sessions = lived(job());
  const complete = sessions.filter(({ session }) => session.date_completed !== null);
  expect(complete).toHaveLength(20);
  for (const { slates } of complete)
    expect(slates.map((slate) => slate.is_training)).toEqual([
      true,
      ...Array<boolean>(6).fill(false),
    ]);
});

test("a rater takes part a limited number of times, and rests in between", () => {
  const launched = job({
    rater_pool: { id: "P", kind: 100, name: "members", label: "Members" },
    max_repetitions: 2,
    min_rest_time: 90,
    num_sessions: 30,
  });
  const ends = new Map<string, number[]>();
  for (const { session } of lived(launched)) {
    const before = ends.get(session.rater.id) ?? [];
    const last = before.at(-1);
    if (last !== undefined)
      expect(Date.parse(session.date_created) - last).toBeGreaterThanOrEqual(90 * 60_000 - 1000);
    ends.set(session.rater.id, [...before, Date.parse(session.date_updated)]);
  }
  expect(Math.max(...[...ends.values()].map((own) => own.length))).toBeLessThanOrEqual(3);
  expect(Math.max(...[...ends.values()].map((own) => own.length))).toBeGreaterThan(1);
});

test("an exhausted pool ends the job early", () => {
  const launched = job({
    rater_pool: { id: "P", kind: 100, name: "members", label: "Members" },
    num_sessions: 100,
  });
  expect(lived(launched)).toHaveLength(12);
});

const pairsOf = (strategy: string): string[] =>
  lived(job({ config: { strategy }, num_sessions: 30 })).flatMap(({ slates }) =>
    slates
      .filter((slate) => !slate.is_training)
      .map((slate) =>
        slate.ratings
          .map((rating) => rating.stimulus)
          .sort()
          .join(""),
      ),
  );
const counts = (pairs: string[]): number[] =>
  [...new Set(pairs)].map((pair) => pairs.filter((one) => one === pair).length);

test("each strategy chooses slates as documented", () => {
  expect(pairsOf("lexicographic").slice(0, 7)).toEqual(["ab", "ac", "ad", "bc", "bd", "cd", "ab"]);
  const active = counts(pairsOf("active"));
  expect(Math.max(...active) - Math.min(...active)).toBeLessThanOrEqual(1);
  const neighbours = pairsOf("neighbor");
  const share = (pair: string) =>
    neighbours.filter((one) => one === pair).length / neighbours.length;
  expect(share("ab") + share("bc") + share("cd")).toBeGreaterThan(0.8);
  expect(counts(pairsOf("randomized"))).toHaveLength(6);
});

test("with three conditions or fewer, a slate can show one twice", () => {
  const same = lived(job({ num_sessions: 30 }), ["a", "b", "c"])
    .flatMap(({ slates }) => slates)
    .filter(({ ratings: [x, y] }) => x?.stimulus === y?.stimulus);
  expect(same.length).toBeGreaterThan(20);
  expect(
    lived(job())
      .flatMap(({ slates }) => slates)
      .some(({ ratings: [x, y] }) => x?.stimulus === y?.stimulus),
  ).toBe(false);
});

test("answers follow the strengths", () => {
  const won = new Map<string, number>();
  for (const { slates } of lived(job({ num_sessions: 60 })))
    for (const { ratings } of slates)
      for (const { stimulus, score } of ratings)
        won.set(stimulus, (won.get(stimulus) ?? 0) + (score ?? 0));
  expect([...won].sort((x, y) => y[1] - x[1]).map(([name]) => name)).toEqual(["a", "b", "c", "d"]);
});
