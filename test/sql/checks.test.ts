import { afterAll, beforeAll, expect, test } from "vitest";
import {
  modelPlan,
  modelsBehind,
  ordinaryModels,
  readModels,
  recomputeModels,
  type Recomputed,
  type Warehouse,
} from "../../src/warehouse/index.js";
import { rowChecks } from "../../src/warehouse/plan.js";
import { leanConventions, loadCase } from "../support/load-case.js";

const lake = [
  "experiments",
  "experiment_details",
  "jobs",
  "sessions",
  "slates",
  "slate_ratings",
  "ratings",
];
const conventions = leanConventions({ item_pattern: "^(.+)$" });

/** One bad row for each check, in a lake table or, if no lake table can violate the check, in a model. */
const plants: Record<string, string> = {
  assert_ratings_match_slates:
    "update ratings set score = score + 1 where slate_id = 1003 and stimulus = 'A'",
  assert_correctness_published:
    "update ratings set is_correct = true where slate_id = 1003 and stimulus = 'A'",
  assert_correctness_shapes: `update ratings set meta = '{"isCorrect": "yes"}' where slate_id = 1003 and stimulus = 'A'`,
  assert_sessions_unique: "insert into sessions select * from sessions limit 1",
  assert_slates_unique: "insert into slates select * from slates limit 1",
  assert_ratings_unique: "insert into ratings select * from ratings where slate_id = 1003 limit 1",
  assert_sessions_listed: "delete from sessions where id = 's1x0000'",
  assert_slates_listed: "delete from slates where id = 1003",
  assert_jobs_listed: "delete from jobs where id = 'job1b'",
  assert_experiment_ids: "update sessions set reported_experiment_id = 'exp2' where id = 's1x0000'",
  assert_experiment_types:
    "insert into experiment_details by name select id as experiment_id, 'mushra' as type from experiments",
  assert_training_flags: "update slates set is_training = true where id = 1003",
  assert_session_jobs: "update sessions set job_id = 'job9' where id = 's1x0000'",
  assert_scores_finite:
    "update ratings set score = 'infinity' where slate_id = 1003 and stimulus = 'A'",
  assert_sums_finite: "update ratings set score = 1e308 where stimulus = 'A'",
  assert_item_pattern: "update ratings set stimulus = '' where slate_id = 1003 and stimulus = 'A'",
  assert_wins_balance:
    "update metric_win_loss set wins = wins + 1 where item = 'A' and source = ''",
  assert_elo_sum: "update metric_elo set value = value + 1 where item = 'A' and source = ''",
  assert_fits_converged:
    "update metric_bayesian_elo_fit set is_converged = false where source = ''",
};

async function loadTables(): Promise<Warehouse> {
  const warehouse = await loadCase("tiny-pairwise.json");
  for (const table of lake) {
    await warehouse.all(
      `create table own as from ${table}; drop view ${table}; alter table own rename to ${table}`,
    );
  }
  await warehouse.all(
    "insert into jobs by name select distinct experiment_id, job_id as id from ratings",
  );
  return warehouse;
}

let warehouse: Warehouse;
let checks: Recomputed["checks"];

beforeAll(async () => {
  warehouse = await loadTables();
  const plan = await modelPlan();
  const ofRows = modelsBehind(
    plan,
    rowChecks(plan).map(({ name }) => name),
  );
  const found = await recomputeModels(warehouse, conventions, ofRows);
  checks = [...found.checks, ...(await recomputeModels(warehouse, conventions)).checks];
});
afterAll(() => warehouse.close());

test("every check passes on valid data and has a planted bad row here", () => {
  expect(checks.filter(({ rows }) => rows > 0)).toEqual([]);
  expect(checks.map(({ name }) => name).sort()).toEqual(Object.keys(plants).sort());
});

test("what no convention decides is checked where rows come in, and never by a run", async () => {
  const plan = await modelPlan();
  const all = plan.flatMap(({ name, severity }) => (severity === null ? [] : [name]));
  const ofRows = rowChecks(plan).map(({ name }) => name);
  const ofRun = await ordinaryModels(true);
  const decided = [
    "assert_answers_differ",
    "assert_fits_converged",
    "assert_item_pattern",
    "assert_sums_finite",
    "assert_wins_balance",
    "assert_elo_sum",
  ];
  expect(all.filter((name) => !ofRows.includes(name)).toSorted()).toEqual(
    decided.filter((name) => all.includes(name)).toSorted(),
  );
  expect(ofRun.filter(({ name }) => ofRows.includes(name) || name === "key_odd_slates")).toEqual(
    [],
  );
  expect(ofRun.filter(({ name }) => name.startsWith("assert_")).length).toBe(
    all.length - ofRows.length,
  );
});

/** Ways in which the ratings of both lists differ although there are as many, or one list has none. */
const unlike: readonly string[] = [
  "delete from ratings",
  "update ratings set score = -score where slate_id = 1003",
  `create or replace table ratings as select * replace (case when slate_id = 1003 then 'A' else stimulus end as stimulus) from ratings`,
  "update ratings set session_id = null, job_id = session_id where slate_id = 1003 and stimulus = 'A'",
];

test.each([
  ...Object.entries(plants),
  ...unlike.map((plant) => ["assert_ratings_match_slates", plant] as const),
])("%s fails on one planted fault: %s", async (name, plant) => {
  const check = (await readModels()).find((model) => model.name === name);
  await warehouse.all("begin");
  try {
    await warehouse.all(plant);
    if (!/^update metric_/.test(plant))
      await recomputeModels(warehouse, conventions, modelsBehind(await modelPlan(), [name]));
    expect(await warehouse.all(check?.sql ?? "")).not.toEqual([]);
  } finally {
    await warehouse.all("rollback");
  }
  expect(await warehouse.all(check?.sql ?? "")).toEqual([]);
});
