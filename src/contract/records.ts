/** The records of the interface, by version. */
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
  is_deleted: Type.Optional(
    Type.Boolean({ description: "True when the files of the dataset have been deleted." }),
  ),
  status: Type.Optional(Status),
});

const assumedField = assumed({}, "field");

/** The list item; fields beyond the summary are assumed. */
const DatasetRecord = Type.Object({
  id: Type.String(assumedField),
  ...DatasetSummary.properties,
});

/** The detail; fields beyond the summary are assumed. */
const DatasetDetail = Type.Object({
  ...DatasetRecord.properties,
  filename: Type.Optional(Type.String(assumedField)),
  retention_days: Type.Optional(
    Type.Integer({ ...assumedField, description: "-1 means unlimited." }),
  ),
  num_stimuli: Type.Optional(Type.Integer(assumedField)),
});

/** Source: service-api.md, "Dataset create result". */
const DatasetCreated = Type.Object({
  id: Type.String(),
  name: Type.String(),
  upload_url: Type.String({
    "x-secret": true,
    description: "Signed address to which the file is uploaded.",
  }),
  status_url: Type.String({ description: "Address of the dataset status operation." }),
});

/** Fields beyond the status value and the error messages are not shown. */
const DatasetStatus = Type.Object({
  status: Status,
  errors: Json({ ...assumedField, description: "Error messages of a failed processing." }),
});

/** Source: service-api.md, "Rater pool". */
const RaterPoolRecord = Type.Object({
  id: Type.String(),
  kind: IntegerEnum(raterPoolKinds, {
    description:
      "0 anyone, 100 project members, 400 crowd-sourced, 500 AI raters, 600 rater pool, 700 " +
      "not described.",
  }),
  name: Type.String(),
  label: Type.String(),
});

const jobRecordFields = {
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
  max_repetitions: Type.Integer({
    description: "How often an individual rater may repeat the task.",
  }),
  min_rest_time: Type.Integer({ description: "Minutes before a rater may repeat the task." }),
};

/** Source: service-api.md, "Job". */
const JobRecord = Type.Object({
  ...jobRecordFields,
  num_comparisons: Type.Integer(),
  num_training: Type.Integer(),
  rater_pool: Type.Object(RaterPoolRecord.properties),
});

const JobOlder = Type.Object({ ...jobRecordFields, pool: Type.Integer() });

const JobDetail = Type.Object({ ...JobRecord.properties, ...jobDetail });
const JobDetailOlder = Type.Object({ ...JobOlder.properties, ...jobDetail });

/** Source: service-api.md, "Job costs". */
const JobCosts = Type.Object({
  num_sessions: Type.Integer(),
  cost: Type.Number(),
  cost_per_additional_session: Type.Number(),
  currency: Type.String(),
  token: Type.String({
    "x-secret": true,
    description: "Job costs token, needed to launch the job.",
  }),
  token_expires_in: Type.Integer({ ...assumed({}, "unit"), description: "Lifetime in seconds." }),
  token_expires_at: DateTime(),
});

const JobLaunchRecord = Type.Object({ token: Type.String({ "x-secret": true }) });

const experimentRecordFields = {
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

const experimentType = Type.String({
  description: "For example mushra, pairwise_image, acr_audio; the set is open.",
});

/** Source: service-api.md, "Experiment (list item and create response)". */
const ExperimentRecord = Type.Object({ ...experimentRecordFields, type: experimentType });

/** The older shape has no type. The interface shows its integer version in the create body only. */
const experimentVersion = Type.Integer(assumed({}, "field"));
const ExperimentOlder = Type.Object({ ...experimentRecordFields, version: experimentVersion });

const experimentDetail = {
  id: Type.String(),
  name: Type.String(),
  language: Type.Optional(experimentRecordFields.language),
  datasets: Type.Array(Type.Object(DatasetSummary.properties)),
  training_datasets: Type.Array(Type.Object(DatasetSummary.properties)),
  date_created: Type.Optional(experimentRecordFields.date_created),
  date_updated: Type.Optional(experimentRecordFields.date_updated),
  config: Type.Optional(experimentRecordFields.config),
};

/** Source: service-api.md, "Experiment detail". */
const ExperimentDetail = Type.Object({
  ...experimentDetail,
  type: experimentType,
  jobs: Type.Array(Type.Object(JobRecord.properties)),
  title: Type.Optional(Type.String()),
  question: Type.Optional(
    Type.String({ description: "Shown at the top of the experiment screen." }),
  ),
  description: Type.Optional(Type.String()),
  introduction: Type.Optional(
    Type.String({ description: "Empty means the default introduction." }),
  ),
});

const ExperimentDetailOlder = Type.Object({
  ...experimentDetail,
  version: experimentVersion,
  jobs: Type.Array(Type.Object(JobOlder.properties)),
});

const rater = { user: Json({ description: "Shape not shown." }), meta: Json() };

/** Source: service-api.md, "Rater". */
const RaterRecord = Type.Object({ id: Type.String(), ...rater });
const RaterOlder = Type.Object({ id: Type.Integer(), ...rater });

const session = {
  id: Type.String(),
  job_id: Type.String(),
  experiment_id: Type.String(),
  date_created: DateTime(),
  date_updated: DateTime(),
  date_completed: Nullable(DateTime(), {
    ...assumed({}, "null"),
    description: "Null until completed.",
  }),
  meta: Json(),
};

/** Source: service-api.md, "Session". */
const SessionRecord = Type.Object({ ...session, rater: Type.Object(RaterRecord.properties) });
const SessionOlder = Type.Object({ ...session, rater: Type.Object(RaterOlder.properties) });

/** Source: service-api.md, "Rating". `score` is null if a question has no score (surveys). */
const RatingRecord = Type.Object({
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
  is_correct: Nullable(Type.Boolean(), {
    description: "Computed from meta and score; null when meta says nothing.",
  }),
});

const slate = {
  id: Type.Integer(),
  session_id: Type.String(),
  job_id: Type.String(),
  ratings: Type.Array(Type.Object(RatingRecord.properties), { "x-table": "slate_ratings" }),
  date_updated: DateTime(),
  meta: Json({ description: "Additional data, for example the time taken to complete the slate." }),
  is_training: Type.Boolean(),
};

/** Source: service-api.md, "Slate". */
const SlateRecord = Type.Object({ ...slate, rater_id: Type.String() });
const SlateOlder = Type.Object({ ...slate, rater_id: Type.Integer() });

const result = {
  kind: Enum(metricKinds),
  dimension: Type.String(),
  source: Type.String(),
  scores: Type.Array(Json({ description: "Element shape not shown." })),
  options: Type.Unsafe<Record<string, unknown>>(
    Type.Object({}, { description: "Conventions used; shape not shown." }),
  ),
};

/** Source: service-api.md, "Result". */
const ResultRecord = Type.Object(result);

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

const rubricFields = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  date_created: DateTime(),
  date_updated: DateTime(),
};

/** Not shown; assumed. */
const RubricRecord = Type.Object(
  { ...rubricFields, leaderboards: Type.Array(Type.Object(leaderboardSummary)) },
  assumed({}, "fields"),
);

/** Not shown beyond "data of all leaderboards of the rubric"; assumed. */
const RubricDetail = Type.Object(
  {
    ...rubricFields,
    leaderboards: Type.Array(Type.Object(LeaderboardDetail.properties)),
  },
  assumed({}, "fields"),
);

/** Not shown; assumed. The secret is shown once, when the project's first webhook makes it. */
const WebhookRecord = Type.Object(
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

const billingEventFields = {
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
const BillingEventRecord = Type.Object(billingEventFields, assumed({}, "fields"));

/** Not shown; assumed. */
const OrganizationBillingEvent = Type.Object(
  { ...billingEventFields, project_id: Type.Optional(Nullable(Type.String())) },
  assumed({}, "fields"),
);

export const records = {
  experiment: versioned(ExperimentRecord, ExperimentOlder),
  experiment_detail: versioned(ExperimentDetail, ExperimentDetailOlder),
  dataset: same(DatasetRecord),
  dataset_detail: same(DatasetDetail),
  dataset_created: same(DatasetCreated),
  dataset_status: same(DatasetStatus),
  job: versioned(JobRecord, JobOlder),
  job_detail: versioned(JobDetail, JobDetailOlder),
  job_costs: same(JobCosts),
  job_launch: same(JobLaunchRecord),
  rater_pool: same(RaterPoolRecord),
  rater: versioned(RaterRecord, RaterOlder),
  session: versioned(SessionRecord, SessionOlder),
  rating: same(RatingRecord),
  slate: versioned(SlateRecord, SlateOlder),
  result: same(ResultRecord),
  metric: same(Metric),
  rubric: same(RubricRecord),
  rubric_detail: same(RubricDetail),
  leaderboard_detail: same(LeaderboardDetail),
  webhook: same(WebhookRecord),
  billing_event: same(BillingEventRecord),
  organization_billing_event: same(OrganizationBillingEvent),
} as const satisfies Record<string, Record<ApiVersion, TObject>>;

export type RecordName = keyof typeof records;

/** The TypeScript type of a record, derived from its schema. */
export type RecordOf<N extends RecordName, V extends ApiVersion = "0.8.3"> = Static<
  (typeof records)[N][V]
>;
