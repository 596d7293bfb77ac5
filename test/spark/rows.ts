import { seededRandom } from "../../src/platform/index.js";
import type { LakeRow, LakeRows } from "./spark-lake.js";
import type { ConventionsInput } from "../../src/metrics/conventions.js";

/** One value at least of each convention that the models of the cluster read. */
export const conventions: Readonly<Record<string, ConventionsInput>> = {
  "the default": {},
  "slates without the incorrect, with training": {
    ...{ training: "include", incorrect: "exclude_slates", pairs: "all", screen: "p808" },
  },
  "sessions without the incorrect, all of them": {
    ...{
      incomplete: "include",
      incorrect: "exclude_sessions",
      mean: "rater_z",
      screen: "training",
    },
  },
  "raters without the incorrect, a pattern": {
    ...{ incorrect: "exclude_raters", item_pattern: "^[^/]+/(.+)$", mean: "median" },
  },
  "ratings without the incorrect, by rater": {
    ...{ incorrect: "exclude_ratings", mean: "rater_mean", stats: { interval: "bootstrap" } },
    bayesian_elo: { start: "warm", rater_quality: { alpha: 10, beta: 2 } },
  },
};

/** Metas whose flags and bounds the two engines must read alike. */
const metas = [
  '{"isCorrect":true}',
  '{"isCorrect":false}',
  '{"isCorrect":"true"}',
  '{"isCorrect":null}',
  '{"isCorrect":1}',
  '{"isCorrect":-1}',
  '{"isCorrect":{}}',
  '{"isCorrect":[]}',
  '{"isCorrect":true,"isCorrect":false}',
  '{"a":1}',
  '{"expectedScores":[1,3]}',
  '{"expectedScores":[null,2]}',
  '{"expectedScores":[-2.5,null]}',
  "{}",
  "[]",
  '"x"',
  '{"expectedScores":[null,null]}',
  '{"expectedScores":["1",2]}',
  '{"expectedScores":[1]}',
  '{"expectedScores":7}',
  '{"expectedScores":[1,2,3]}',
  '{"expectedScores":"[1,2]"}',
  '{"expectedScores":[-3,1E2]}',
  '{"expectedScores":-4}',
  '{"expectedScores":[18446744073709551615,null]}',
  '{"expectedScores":1.5}',
  '{"\\u0069sCorrect":false}',
  null,
  '{"isCorrect":true,"expectedScores":[9,9]}',
  '{"x":{"isCorrect":false}}',
  '{"expectedScores":[[1],2]}',
  "null",
];

const instants = [
  "2026-01-02T10:00:00Z",
  "2026-01-02T10:00:00.000001Z",
  "2026-01-02T10:00:00Z",
  "2025-12-31T23:59:59.999999Z",
  null,
];
const scores = [1, 2, 3, 2.5, 0, -1.25, 0.1, 100, null];
const names = ["a/ü", "a/b", "b/Z", "b/z", "c", "ß", "日本/x", "a b", "", "a/\nb"];

/** Rows of a lake in which every check of raw rows fails, drawn from a seed. */
export function lakeRows(seed = 1): LakeRows {
  const random = seededRandom(seed);
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const rows: Record<string, LakeRow[]> = {
    experiments: [],
    experiment_details: [],
    jobs: [],
    ratings: [],
    slate_ratings: [],
    slates: [],
    sessions: [],
    results: [],
    metrics: [],
    rubrics: [],
    leaderboards: [],
  };
  const add = (table: string, row: LakeRow) => rows[table]?.push(row);
  for (const experiment_id of ["e1", "e2", "007"]) {
    const config = '{"roles":{"reference":["c"],"anchors":"ß"}}';
    add("experiments", { id: experiment_id, name: experiment_id, type: "acr", config });
    add("experiment_details", {
      experiment_id,
      id: experiment_id,
      type: experiment_id === "e1" ? "mushra" : "acr",
    });
    if (experiment_id !== "007")
      for (const id of ["j1", "j2"])
        add("jobs", { experiment_id, id, reported_experiment_id: pick([experiment_id, "other"]) });
    const raters = ["r1", "r2", "3", "r4"];
    for (let n = 0; n < 12; n++) {
      const id = `s${n}`;
      const job_id = pick(["j1", "j2", "j3", null]);
      const rater = pick(raters);
      const session: LakeRow = {
        experiment_id,
        id,
        job_id,
        reported_experiment_id: pick([experiment_id, "other"]),
        rater: pick([`{"id":"${rater}"}`, '{"id":3}', null]),
        date_created: "2026-01-01T00:00:00Z",
        date_completed: n % 5 === 4 ? null : pick(instants),
        _meta: pick([
          null,
          '{"recount_place":3}',
          '{"recount_place":"4"}',
          '{"recount_place":"x"}',
        ]),
      };
      if (n !== 7) add("sessions", session);
      if (n === 3) add("sessions", { ...session, date_completed: "2026-01-03T00:00:00Z" });
      for (let k = 0; k < 9; k++) {
        const slate_id = n * 10 + k;
        const is_training = k === 0 ? true : k === 1 ? null : false;
        const slate = {
          ...{
            experiment_id,
            id: slate_id,
            session_id: id,
            job_id,
            is_training: pick([is_training, false]),
          },
          date_updated: pick(instants),
        };
        if (k !== 5) add("slates", slate);
        if (k === 6) add("slates", { ...slate, date_updated: "2026-01-04T00:00:00Z" });
        const dimension = pick([null, "", "quality"]);
        const count = pick([1, 2, 2, 2, 2, 3]);
        for (let i = 0; i < count; i++) {
          const rating = {
            ...{
              experiment_id,
              session_id: n === 11 ? null : id,
              slate_id: k === 7 ? null : slate_id,
            },
            ...{
              job_id: pick([job_id, job_id, "j4", null]),
              rater_id: pick([rater, rater, "r1", null]),
            },
            ...{
              stimulus_id: pick([1, 2, null]),
              stimulus: pick([...names, null]),
              dimension,
              is_training,
            },
            ...{ score: pick(scores), meta: pick(metas), is_correct: pick([true, false, null]) },
            _meta: pick([
              null,
              '{"recount_weight":2.5}',
              '{"recount_weight":"3"}',
              '{"recount_weight":-1,"recount_covariates":"{\\"length\\":0.5}"}',
            ]),
          };
          add("ratings", rating);
          if (random() < 0.8) add("slate_ratings", rating);
          if (random() < 0.1) add("slate_ratings", { ...rating, score: 5 });
        }
      }
    }
    for (const source of ["j1,j2", "j2, j1", "j1", null]) {
      add("results", {
        experiment_id,
        kind: "elo",
        source,
        scores: "[]",
        options: "{}",
        asked_source: null,
      });
      add("metrics", {
        experiment_id,
        kind: "mean",
        source,
        scores: "{}",
        _meta: '{"source":"j1,j2","x":"j2"}',
      });
    }
  }
  addWhole(add, "pairs", 2);
  addWhole(add, "scores", 1);
  for (const score of [1e308, 1e308, -1e308, 5e-324, "inf", "nan"])
    add("ratings", {
      experiment_id: "007",
      session_id: "s1",
      slate_id: 900,
      rater_id: "r1",
      stimulus: "huge",
      score,
    });
  add("rubrics", { id: "b1", name: "Rubric", leaderboards: '[{"kind":"elo"}]', _meta: '{"a":1}' });
  add("leaderboards", {
    id: "l1",
    kind: "elo",
    rubric_id: "b1",
    experiment_ids: ["e1", "e2"],
    scores: "[]",
    _meta: '{"source":"j1,j2"}',
  });
  return rows;
}

/** Five raters who see three items in turn, some `together`: enough to say which are separated. */
function addWhole(
  add: (table: string, row: LakeRow) => void,
  experiment_id: string,
  together: number,
): void {
  const config = '{"directions":[{"dimension":"errors","direction":"lower"},{}]}';
  add("experiments", { id: experiment_id, name: "Whole", type: "acr", config });
  const scores = '[{"stimulus":"w/0","rank":1},{"item":"w/1","Rank":"#2"},{"rank":3}]';
  add("results", { experiment_id, kind: "mean", scores, options: '{"direction":"LOWER"}' });
  add("experiment_details", { experiment_id, id: experiment_id, type: "acr" });
  add("jobs", { experiment_id, id: "j1", reported_experiment_id: experiment_id });
  for (let rater = 0; rater < 5; rater++) {
    const session_id = `w${rater}`;
    const date = `2026-01-0${rater + 1}T00:00:00Z`;
    const own = { experiment_id, job_id: "j1" };
    const dates = { date_created: date, date_completed: date };
    add("sessions", { ...own, id: session_id, rater: `{"id":"w${rater}"}`, ...dates });
    for (let k = 0; k < 6; k++) {
      const slate_id = rater * 6 + k;
      add("slates", { ...own, id: slate_id, session_id, is_training: false, date_updated: date });
      const shown = [k % 3, (k + 1) % 3].slice(0, together);
      for (const item of shown) {
        const rating = {
          meta: item === shown[rater % 2] ? '{"recount_right":true}' : null,
          ...{ ...own, session_id, slate_id, rater_id: `w${rater}`, is_training: false },
          ...{ stimulus_id: item, stimulus: `w/${item}`, score: 1 + ((item + rater * k) % 5) },
        };
        add("ratings", rating);
        add("slate_ratings", rating);
      }
    }
  }
}
