import { Type } from "../../platform/index.js";
import { assumed, DateTime, IntegerEnum, Json, Nullable } from "../schema.js";
import { raterPoolKinds } from "../vocabulary.js";
import { same, versioned } from "../versions.js";

/** Source: service-api.md, "Rater pool". */
const RaterPool = Type.Object({
  id: Type.String(),
  kind: IntegerEnum(raterPoolKinds, {
    description: "0 anyone, 100 project members, 400 crowd-sourced, 500 AI raters, 600 rater pool, 700 not described.",
  }),
  name: Type.String(),
  label: Type.String(),
});

const common = {
  id: Type.String(),
  experiment_id: Type.String(),
  num_sessions: Type.Integer({ description: "How often the task is performed." }),
  date_created: DateTime(),
  date_updated: DateTime(),
  date_launched: Nullable(DateTime(), { description: "Null until launched." }),
  status: Type.String({ description: "Values are not shown by the interface." }),
  config: Json({ description: "Configures the stimulus selection strategy." }),
};

const detail = {
  max_repetitions: Type.Integer({ description: "How often an individual rater may repeat the task." }),
  min_rest_time: Type.Integer({ description: "Minutes before a rater may repeat the task." }),
};

/** Source: service-api.md, "Job". */
export const Job = Type.Object({
  ...common,
  num_comparisons: Type.Integer(),
  num_training: Type.Integer(),
  rater_pool: Type.Object(RaterPool.properties),
});

/** The older representation: an integer pool, no `num_comparisons`, no `num_training`. */
export const JobOlder = Type.Object({ ...common, pool: Type.Integer() });

const JobDetail = Type.Object({ ...Job.properties, ...detail });
const JobDetailOlder = Type.Object({ ...JobOlder.properties, ...detail });

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

export const jobRecords = {
  job: versioned(Job, JobOlder),
  job_detail: versioned(JobDetail, JobDetailOlder),
  job_costs: same(JobCosts),
  job_launch: same(JobLaunch),
  rater_pool: same(RaterPool),
};
