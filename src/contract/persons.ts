/** What each column says about persons, and how pseudonyms treat it. */
import type { Treatment } from "./schema.js";
import type { TableName } from "./tables.js";

/** The entry of a rating's meta in an import: it is the right one of a comparison. */
export const rightField = "recount_right";

/** The entries of a rating's meta that numbers follow from. */
export const metaFlags = ["isCorrect", "expectedScores", rightField] as const;

/** The place of pseudonymised sessions that completed at the same instant: online Elo needs it. */
export const placeField = "recount_place";

/** The unknown field of imported ratings that count as more, or less, than one comparison. */
export const weightField = "recount_weight";

/** The unknown field of the left rating of a comparison with covariates: numbers by name. */
export const covariatesField = "recount_covariates";

/** The unknown field of imported ratings that says what was judged. */
export const promptField = "recount_prompt";

type Treated = Readonly<Partial<Record<Treatment, string>>>;

const rating: Treated = {
  keep: "score slate_id job_id stimulus_id stimulus dimension is_training is_correct",
  rater: "rater_id",
  session: "session_id",
  flags: "meta",
  weight: "_meta",
};

const billingEventColumns = "id kind date_created amount currency experiment_id job_id";

/** Unknown fields of published lists stay: the audit reads numbers and conventions from them. */
const treated: Readonly<Partial<Record<TableName, Treated>>> = {
  experiments: {
    keep:
      "id name language dataset_ids training_dataset_ids job_ids date_created date_updated " +
      "type version",
    roles: "config",
    drop: "_meta",
  },
  experiment_details: {
    keep: "id name language date_created date_updated type title question version",
    drop: "datasets training_datasets config jobs description introduction _meta",
  },
  jobs: {
    keep:
      "id reported_experiment_id num_sessions date_created date_updated date_launched " +
      "status num_comparisons num_training " +
      "max_repetitions min_rest_time pool",
    drop: "config rater_pool _meta",
  },
  job_costs: {
    keep:
      "num_sessions cost cost_per_additional_session currency token_expires_in " +
      "token_expires_at job_id",
    drop: "_meta",
  },
  datasets: {
    keep: "id name date_created date_last_used is_deleted status retention_days num_stimuli",
    drop: "filename _meta",
  },
  dataset_statuses: { keep: "status dataset_id", drop: "errors _meta" },
  rater_pools: { keep: "id kind", drop: "name label _meta" },
  raters: { rater: "id", drop: "user meta _meta" },
  ratings: rating,
  slate_ratings: rating,
  slates: {
    keep: "id job_id date_updated is_training",
    rater: "rater_id",
    session: "session_id",
    drop: "meta _meta",
  },
  sessions: {
    keep: "job_id reported_experiment_id date_created date_updated date_completed",
    session: "id",
    rater_object: "rater",
    place: "_meta",
    drop: "meta",
  },
  results: { keep: "kind dimension source scores options asked_source _meta" },
  metrics: {
    keep:
      "kind dimension source scores options experiment_id job_id leaderboard_id asked_source " +
      "_meta",
  },
  rubrics: { keep: "id name date_created date_updated leaderboards _meta", drop: "description" },
  leaderboards: {
    keep: "id name date_updated rubric_id kind dimension experiment_ids scores _meta",
    drop: "description",
  },
  webhooks: {
    keep: "id events is_active date_created date_updated",
    drop: "url description _meta",
  },
  billing_events: { keep: billingEventColumns, drop: "description _meta" },
  organization_billing_events: {
    keep: `${billingEventColumns} project_id`,
    drop: "description _meta",
  },
};

export function treatmentOf(table: TableName, column: string): Treatment | undefined {
  const own = Object.entries(treated[table] ?? {}) as [Treatment, string][];
  return own.find(([, columns]) => columns.split(" ").includes(column))?.[0];
}
