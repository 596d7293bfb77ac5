import type { Static, TObject } from "typebox";
import * as dataset from "./records/dataset.js";
import * as experiment from "./records/experiment.js";
import * as job from "./records/job.js";
import * as project from "./records/project.js";
import * as rater from "./records/rater.js";
import * as rating from "./records/rating.js";
import * as result from "./records/result.js";
import type { ApiVersion } from "./versions.js";

const same = <T extends TObject>(schema: T) => ({ "0.8.3": schema, "0.7.5": schema });

const versioned = <N extends TObject, O extends TObject>(newer: N, older: O) => ({ "0.8.3": newer, "0.7.5": older });

/** Every record of the interface, as JSON Schema, by interface version. */
export const records = {
  experiment: versioned(experiment.Experiment, experiment.ExperimentOlder),
  experiment_detail: versioned(experiment.ExperimentDetail, experiment.ExperimentDetailOlder),
  dataset: same(dataset.Dataset),
  dataset_detail: same(dataset.DatasetDetail),
  dataset_created: same(dataset.DatasetCreated),
  dataset_status: same(dataset.DatasetStatus),
  job: versioned(job.Job, job.JobOlder),
  job_detail: versioned(job.JobDetail, job.JobDetailOlder),
  job_costs: same(job.JobCosts),
  job_launch: same(job.JobLaunch),
  rater_pool: same(job.RaterPool),
  rater: versioned(rater.Rater, rater.RaterOlder),
  rating: same(rating.Rating),
  session: versioned(rater.Session, rater.SessionOlder),
  slate: versioned(rating.Slate, rating.SlateOlder),
  result: same(result.Result),
  metric: same(result.Metric),
  rubric: same(result.Rubric),
  rubric_detail: same(result.RubricDetail),
  leaderboard_detail: same(result.LeaderboardDetail),
  webhook: same(project.Webhook),
  billing_event: same(project.BillingEvent),
  organization_billing_event: same(project.OrganizationBillingEvent),
} as const satisfies Record<string, Record<ApiVersion, TObject>>;

export type RecordName = keyof typeof records;

/** The TypeScript type of a record, derived from its schema. */
export type RecordOf<N extends RecordName, V extends ApiVersion = "0.8.3"> = Static<(typeof records)[N][V]>;
