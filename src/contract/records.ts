import { Type, type Static, type TObject } from "typebox";
import {
  assumed,
  Enum,
  Json,
  datasetStatuses,
  same,
  DateTime,
  IntegerEnum,
  Nullable,
  raterPoolKinds,
  versioned,
  languages,
  metricKinds,
  type ApiVersion,
} from "./schema.js";

const Status = Enum(datasetStatuses);

/** Source: service-api.md, "Dataset summary", which calls its dates plain text. */
const DatasetSummary = Type.Object({
  name: Type.String({ description: "Short name." }),
  date_created: Type.String(),
  date_last_used: Type.String(),
  is_deleted: Type.Optional(Type.Boolean({ description: "True when the files of the dataset have been deleted." })),
  status: Type.Optional(Status),
});

const own = assumed({}, "field");

/** The list item; fields beyond the summary are assumed. */
const Dataset = Type.Object({
  id: Type.String(own),
  ...DatasetSummary.properties,
});

/** The detail; fields beyond the summary are assumed. */
const DatasetDetail = Type.Object({
  ...Dataset.properties,
  filename: Type.Optional(Type.String(own)),
  retention_days: Type.Optional(Type.Integer({ ...own, description: "-1 means unlimited." })),
  num_stimuli: Type.Optional(Type.Integer(own)),
});

/** Source: service-api.md, "Dataset create result". */
const DatasetCreated = Type.Object({
  id: Type.String(),
  name: Type.String(),
  upload_url: Type.String({ "x-secret": true, description: "Signed address to which the file is uploaded." }),
  status_url: Type.String({ description: "Address of the dataset status operation." }),
});

/** Fields beyond the status value and the error messages are not shown. */
const DatasetStatus = Type.Object({
  status: Status,
  errors: Json({ ...own, description: "Error messages of a failed processing." }),
});

/** Source: service-api.md, "Rater pool". */
const RaterPool = Type.Object({
  id: Type.String(),
  kind: IntegerEnum(raterPoolKinds, {
    description: "0 anyone, 100 project members, 400 crowd-sourced, 500 AI raters, 600 rater pool, 700 not described.",
  }),
  name: Type.String(),
  label: Type.String(),
});

const jobCommon = {
  id: Type.String(),
  experiment_id: Type.String(),
  num_sessions: Type.Integer({ description: "How often the task is performed." }),
  date_created: DateTime(),
  date_updated: DateTime(),
  date_launched: Nullable(DateTime(), { description: "Null until launched." }),
  status: Type.String({ description: "Values are not shown by the interface." }),
  config: Json({ description: "Configures the stimulus selection strategy." }),
};

const jobDetail = {
  max_repetitions: Type.Integer({ description: "How often an individual rater may repeat the task." }),
  min_rest_time: Type.Integer({ description: "Minutes before a rater may repeat the task." }),
};

/** Source: service-api.md, "Job". */
const Job = Type.Object({
  ...jobCommon,
  num_comparisons: Type.Integer(),
  num_training: Type.Integer(),
  rater_pool: Type.Object(RaterPool.properties),
});

/** The older representation: an integer pool, no `num_comparisons`, no `num_training`. */
const JobOlder = Type.Object({ ...jobCommon, pool: Type.Integer() });

const JobDetail = Type.Object({ ...Job.properties, ...jobDetail });
const JobDetailOlder = Type.Object({ ...JobOlder.properties, ...jobDetail });

/** Source: service-api.md, "Job costs". */
const JobCosts = Type.Object({
  num_sessions: Type.Integer(),
  cost: Type.Number(),
  cost_per_additional_session: Type.Number(),
  currency: Type.String(),
  token: Type.String({ "x-secret": true, description: "Job costs token, needed to launch the job." }),
  token_expires_in: Type.Integer({ ...assumed({}, "unit"), description: "Lifetime in seconds." }),
  token_expires_at: DateTime(),
});

const JobLaunch = Type.Object({ token: Type.String({ "x-secret": true }) });

const experimentCommon = {
  id: Type.String(),
  name: Type.String({ description: "Identifies the experiment." }),
  language: Enum(languages, { description: "Interface language of the experiment." }),
  dataset_ids: Type.Array(Type.String()),
  training_dataset_ids: Type.Array(Type.String()),
  job_ids: Type.Array(Type.String()),
  date_created: DateTime(),
  date_updated: DateTime(),
  config: Json({ description: "Free-form configuration." }),
};

const experimentType = Type.String({ description: "For example mushra, pairwise_image, acr_audio; the set is open." });

/** Source: service-api.md, "Experiment (list item and create response)". */
const Experiment = Type.Object({ ...experimentCommon, type: experimentType });

/** The older shape has no type. The interface shows its integer version in the create body only. */
const experimentVersion = Type.Integer(assumed({}, "field"));
const ExperimentOlder = Type.Object({ ...experimentCommon, version: experimentVersion });

const experimentDetail = {
  id: Type.String(),
  name: Type.String(),
  language: Type.Optional(experimentCommon.language),
  datasets: Type.Array(Type.Object(DatasetSummary.properties)),
  training_datasets: Type.Array(Type.Object(DatasetSummary.properties)),
  date_created: Type.Optional(experimentCommon.date_created),
  date_updated: Type.Optional(experimentCommon.date_updated),
  config: Type.Optional(experimentCommon.config),
};

/** Source: service-api.md, "Experiment detail". */
const ExperimentDetail = Type.Object({
  ...experimentDetail,
  type: experimentType,
  jobs: Type.Array(Type.Object(Job.properties)),
  title: Type.Optional(Type.String()),
  question: Type.Optional(Type.String({ description: "Shown at the top of the experiment screen." })),
  description: Type.Optional(Type.String()),
  introduction: Type.Optional(Type.String({ description: "Empty means the default introduction." })),
});

const ExperimentDetailOlder = Type.Object({
  ...experimentDetail,
  version: experimentVersion,
  jobs: Type.Array(Type.Object(JobOlder.properties)),
});

const rater = { user: Json({ description: "Shape not shown." }), meta: Json() };

/** Source: service-api.md, "Rater". */
const Rater = Type.Object({ id: Type.String(), ...rater });
const RaterOlder = Type.Object({ id: Type.Integer(), ...rater });

const session = {
  id: Type.String(),
  job_id: Type.String(),
  experiment_id: Type.String(),
  date_created: DateTime(),
  date_updated: DateTime(),
  date_completed: Nullable(DateTime(), { ...assumed({}, "null"), description: "Null until completed." }),
  meta: Json(),
};

/** Source: service-api.md, "Session". */
const Session = Type.Object({ ...session, rater: Type.Object(Rater.properties) });
const SessionOlder = Type.Object({ ...session, rater: Type.Object(RaterOlder.properties) });

/** Source: service-api.md, "Rating". `score` is null if a question has no score (surveys). */
const Rating = Type.Object({
  score: Nullable(Type.Number(), assumed({}, "null")),
  rater_id: Type.Integer({ "x-text": true }),
  slate_id: Type.Integer(),
  session_id: Type.String(),
  job_id: Type.String(),
  stimulus_id: Type.Integer(),
  stimulus: Type.String(),
  dimension: Type.String(),
  is_training: Type.Boolean(),
  meta: Json(),
  is_correct: Nullable(Type.Boolean(), { description: "Computed from meta and score; null when meta says nothing." }),
});

const slate = {
  id: Type.Integer(),
  session_id: Type.String(),
  job_id: Type.String(),
  ratings: Type.Array(Type.Object(Rating.properties), { "x-table": "slate_ratings" }),
  date_updated: DateTime(),
  meta: Json({ description: "Additional data, for example the time taken to complete the slate." }),
  is_training: Type.Boolean(),
};

/** Source: service-api.md, "Slate". */
const Slate = Type.Object({ ...slate, rater_id: Type.String() });
const SlateOlder = Type.Object({ ...slate, rater_id: Type.Integer() });

const result = {
  kind: Enum(metricKinds),
  dimension: Type.String(),
  source: Type.String(),
  scores: Type.Array(Json({ description: "Element shape not shown." })),
  options: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { description: "Conventions used; shape not shown." })),
};

/** Source: service-api.md, "Result". */
const Result = Type.Object(result);

/** The metrics list's record is not shown; assumed to be a result and what it belongs to. */
const Metric = Type.Object(
  {
    ...result,
    experiment_id: Type.Optional(Nullable(Type.String())),
    job_id: Type.Optional(Nullable(Type.String())),
    leaderboard_id: Type.Optional(Nullable(Type.String())),
  },
  assumed({}, "fields"),
);

const leaderboardSummary = { id: Type.String(), name: Type.String(), date_updated: DateTime() };

/** Not shown; assumed. */
const LeaderboardDetail = Type.Object(
  {
    ...leaderboardSummary,
    rubric_id: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    kind: Type.Optional(Enum(metricKinds)),
    dimension: Type.Optional(Type.String()),
    experiment_ids: Type.Optional(Type.Array(Type.String())),
    scores: Type.Array(Json()),
  },
  assumed({}, "fields"),
);

const rubric = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  date_created: DateTime(),
  date_updated: DateTime(),
};

/** Not shown; assumed. */
const Rubric = Type.Object(
  { ...rubric, leaderboards: Type.Array(Type.Object(leaderboardSummary)) },
  assumed({}, "fields"),
);

/** Not shown beyond "data of all leaderboards of the rubric"; assumed. */
const RubricDetail = Type.Object(
  {
    ...rubric,
    leaderboards: Type.Array(Type.Object(LeaderboardDetail.properties)),
  },
  assumed({}, "fields"),
);

/** Not shown; assumed. The secret is shown once, when the project's first webhook makes it. */
const Webhook = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ format: "uri" }),
    events: Type.Array(Type.String()),
    description: Type.Optional(Type.String()),
    is_active: Type.Boolean(),
    date_created: DateTime(),
    date_updated: DateTime(),
    secret: Type.Optional(Type.String({ "x-secret": true })),
  },
  assumed({}, "fields"),
);

const billingEvent = {
  id: Type.String(),
  kind: Type.String(),
  date_created: DateTime(),
  description: Type.Optional(Type.String()),
  amount: Type.Number(),
  currency: Type.String(),
  experiment_id: Type.Optional(Nullable(Type.String())),
  job_id: Type.Optional(Nullable(Type.String())),
};

/** Not shown; assumed. */
const BillingEvent = Type.Object(billingEvent, assumed({}, "fields"));

/** Not shown; assumed. */
const OrganizationBillingEvent = Type.Object(
  { ...billingEvent, project_id: Type.Optional(Nullable(Type.String())) },
  assumed({}, "fields"),
);

/** Every record of the interface, as JSON Schema, by interface version. */
export const records = {
  experiment: versioned(Experiment, ExperimentOlder),
  experiment_detail: versioned(ExperimentDetail, ExperimentDetailOlder),
  dataset: same(Dataset),
  dataset_detail: same(DatasetDetail),
  dataset_created: same(DatasetCreated),
  dataset_status: same(DatasetStatus),
  job: versioned(Job, JobOlder),
  job_detail: versioned(JobDetail, JobDetailOlder),
  job_costs: same(JobCosts),
  job_launch: same(JobLaunch),
  rater_pool: same(RaterPool),
  rater: versioned(Rater, RaterOlder),
  session: versioned(Session, SessionOlder),
  rating: same(Rating),
  slate: versioned(Slate, SlateOlder),
  result: same(Result),
  metric: same(Metric),
  rubric: same(Rubric),
  rubric_detail: same(RubricDetail),
  leaderboard_detail: same(LeaderboardDetail),
  webhook: same(Webhook),
  billing_event: same(BillingEvent),
  organization_billing_event: same(OrganizationBillingEvent),
} as const satisfies Record<string, Record<ApiVersion, TObject>>;

export type RecordName = keyof typeof records;

/** The TypeScript type of a record, derived from its schema. */
export type RecordOf<N extends RecordName, V extends ApiVersion = "0.8.3"> = Static<(typeof records)[N][V]>;
