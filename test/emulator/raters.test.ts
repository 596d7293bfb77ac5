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

function projectWith(launched: Job): Project {
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
    stimuli: ["a", "b", "c", "d"].map((name, id) => ({
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

function lived(launched: Job) {
  const project = projectWith(launched);
  const study = project.studies.get("Exp1") ?? expect.fail("no study");
  fillJob({ counters: { slate: 0, stimulus: 0 } }, project, study, launched, 1);
  return study.slates;
}

const pairsOf = (strategy: string): string[] =>
  lived(job({ config: { strategy }, num_sessions: 30 }))
    .filter((slate) => !slate.is_training)
    .map(({ ratings }) =>
      ratings
        .map(({ stimulus }) => stimulus)
        .sort()
        .join(""),
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

test("answers follow the strengths", () => {
  const won = new Map<string, number>();
  for (const { ratings } of lived(job({ num_sessions: 60 })))
    for (const { stimulus, score } of ratings)
      won.set(stimulus, (won.get(stimulus) ?? 0) + (score ?? 0));
  expect([...won].sort((x, y) => y[1] - x[1]).map(([name]) => name)).toEqual(["a", "b", "c", "d"]);
});
