import { expect, test } from "vitest";
import { conventionWith, type ConventionInput } from "../../../src/emulator/scoring/convention.js";
import { population } from "../../../src/emulator/scoring/population.js";
import { score, type ScoredKind } from "../../../src/emulator/scoring/score.js";
import type { ScoredRating, ScoredSlate, ScoredStudy } from "../../../src/emulator/scoring/population.js";

const idOf: Record<string, number> = { "park/x": 1, "park/y": 2, "street/x": 3, "street/y": 4 };

interface Given {
  id: number;
  session: string;
  job: string;
  at: string;
  rater?: number;
  training?: boolean;
  scores: [stimulus: string, dimension: string, score: number | null][];
}

function slate({ id, session, job, at, rater = 1, training = false, scores }: Given): ScoredSlate {
  const ratings = scores.map(([stimulus, dimension, given]): ScoredRating => ({
    ...{ stimulus, dimension, score: given, rater_id: rater, is_training: training, is_correct: null },
    stimulus_id: idOf[stimulus] ?? 0,
  }));
  return { id, session_id: session, job_id: job, date_updated: `2026-01-01T00:00:${at}Z`, ratings };
}

/** Session b was begun after a and completed before it; one answer is repeated three times, the second time without a score. */
const study: ScoredStudy = {
  sessions: [
    { id: "a", job_id: "j1", date_created: "2026-01-01T00:00:00Z", date_completed: "2026-01-01T02:00:00Z" },
    { id: "b", job_id: "j2", date_created: "2026-01-01T00:01:00Z", date_completed: "2026-01-01T01:00:00Z" },
    { id: "c", job_id: "j3", date_created: "2026-01-01T00:02:00Z", date_completed: "2026-01-01T03:00:00Z" },
  ],
  slates: [
    slate({
      id: 9,
      session: "a",
      job: "j1",
      at: "10",
      scores: [
        ["park/x", "noise", 10],
        ["park/x", "blur", 1],
      ],
    }),
    slate({ id: 8, session: "b", job: "j2", at: "20", scores: [["park/x", "noise", 20]] }),
    slate({ id: 7, session: "c", job: "j3", at: "05", scores: [["park/x", "noise", null]] }),
    slate({ id: 6, session: "c", job: "j3", at: "30", scores: [["park/x", "noise", 40]] }),
    slate({ id: 5, session: "c", job: "j3", at: "40", rater: 2, scores: [["street/x", "noise", 50]] }),
    slate({ id: 4, session: "c", job: "j3", at: "50", training: true, scores: [["street/y", "noise", 60]] }),
  ],
};

/** The main number of each item. */
function published(kind: ScoredKind, input: ConventionInput, source = "", of = study): Record<string, unknown> {
  const convention = conventionWith(input);
  const rows = score(kind, "noise", population(of, convention, source), convention);
  return Object.fromEntries(rows.map((row) => [row.stimulus, row.value]));
}

const means: [name: string, ConventionInput, source: string, Record<string, number>][] = [
  ["nothing", {}, "", { "park/x": 70 / 3, "street/x": 50 }],
  ["training only", { training: "only" }, "", { "street/y": 60 }],
  ["the first of repeats in the order of completion", { repeats: "first" }, "", { "park/x": 20, "street/x": 50 }],
  ["the last of repeats that has a score", { repeats: "last" }, "", { "park/x": 40, "street/x": 50 }],
  ["the last of repeats that counts", { repeats: "last", without_job: "j3" }, "", { "park/x": 10 }],
  ["without a job", { without_job: "j2" }, "", { "park/x": 25, "street/x": 50 }],
  ["one job", { job: "j2" }, "", { "park/x": 20 }],
  ["the job asked for", {}, "j1", { "park/x": 10 }],
  ["all jobs where one was asked for", { job: "*" }, "j1", { "park/x": 70 / 3, "street/x": 50 }],
  ["another dimension", { dimension: "blur" }, "", { "park/x": 1 }],
  ["all dimensions", { dimension: "*" }, "", { "park/x": 71 / 4, "street/x": 50 }],
  ["the source as item", { item_pattern: "^([^/]*)/" }, "", { park: 70 / 3, street: 50 }],
  ["the condition as item", { item_pattern: "([^/]*)$" }, "", { x: 30 }],
  ["the identifier as item", { item_key: "stimulus_id" }, "", { "1": 70 / 3, "3": 50 }],
];

test.each(means)("the mean under %s", (_, input, source, expected) => {
  expect(published("mean", input, source)).toEqual(expected);
});

/** The scores of a comparison that the first item wins. */
const won = (winner: string, loser: string, dimension = "noise"): Given["scores"] => [
  [winner, dimension, 1],
  [loser, dimension, 0],
];

/** Three comparisons whose order affects Elo. */
const games: ScoredStudy = {
  sessions: study.sessions,
  slates: [
    slate({ id: 3, session: "a", job: "j1", at: "30", scores: won("x", "y") }),
    slate({ id: 1, session: "b", job: "j1", at: "20", scores: won("y", "x") }),
    slate({ id: 2, session: "c", job: "j1", at: "10", scores: won("x", "z") }),
  ],
};

/** Elo of the comparisons in a given order of sessions, computed here. */
function worked(order: string): Record<string, number> {
  const results: Record<string, [string, string]> = { a: ["x", "y"], b: ["y", "x"], c: ["x", "z"] };
  const ratings: Record<string, number> = { x: 2000, y: 2000, z: 2000 };
  for (const session of order) {
    const [winner, loser] = results[session] as [string, string];
    const change = 32 * (1 - 1 / (1 + 10 ** (((ratings[loser] ?? 0) - (ratings[winner] ?? 0)) / 400)));
    ratings[winner] = (ratings[winner] ?? 0) + change;
    ratings[loser] = (ratings[loser] ?? 0) - change;
  }
  return ratings;
}

test.each([
  ["service", "bac"],
  ["created", "abc"],
  ["session_id", "abc"],
  ["slate_updated", "cba"],
  ["slate_id", "bca"],
  ["reversed", "cab"],
] as const)("Elo in the order %s", (order, sessions) => {
  expect(published("elo", { order }, "", games)).toEqual(worked(sessions));
});

test("all dimensions together: a slate's comparisons are in order of their names, or reversed", () => {
  const scores = [...won("y", "x"), ...won("x", "z", "blur")];
  const one: ScoredStudy = {
    sessions: study.sessions,
    slates: [slate({ id: 1, session: "a", job: "j1", at: "10", scores })],
  };
  const shift = 32 * (1 - 1 / (1 + 10 ** (16 / 400)));
  expect(published("elo", { dimension: "*" }, "", one).y).toBeCloseTo(2000 + shift, 9);
  expect(published("elo", { dimension: "*", order: "reversed" }, "", one).y).toBeCloseTo(2016, 9);
});

test("a percentile bootstrap depends only on its seed, is within the scores, and is about as wide as the normal interval", () => {
  const scores = Array.from({ length: 200 }, (_, i) => (i * 37) % 100);
  const many: ScoredStudy = {
    sessions: study.sessions,
    slates: scores.map((given, id) =>
      slate({ id, session: "a", job: "j1", at: "10", scores: [["x", "noise", given]] }),
    ),
  };
  const interval = (stats: ConventionInput["stats"]): [number, number] => {
    const convention = conventionWith({ stats: stats ?? {} });
    const [row] = score("stats", "noise", population(many, convention), convention);
    return [Number(row?.ci_low), Number(row?.ci_high)];
  };
  const drawn = interval({ interval: "bootstrap" });
  expect(interval({ interval: "bootstrap" })).toEqual(drawn);
  expect(interval({ interval: "bootstrap", seed: 2 })).not.toEqual(drawn);
  expect(interval({ interval: "bootstrap", bootstrap_samples: 300 })).not.toEqual(drawn);
  const normal = interval({ interval: "normal" });
  // Both ends are quantiles of 1000 draws: their own error is about 7 % of the half width, 4 deviations allowed.
  const half = (normal[1] - normal[0]) / 2;
  drawn.forEach((end, i) => expect(Math.abs(end - (normal[i] ?? NaN))).toBeLessThan(0.28 * half));
  const convention = conventionWith({ stats: { interval: "bootstrap", bootstrap_samples: 1 } });
  const [single] = score("stats", "noise", population(many, convention), convention);
  expect(single?.ci_low).toBe(single?.ci_high);
});
