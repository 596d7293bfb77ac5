import type { BodyName } from "./bodies.js";
import type { QueryName } from "./queries.js";
import type { RecordName } from "./records.js";
import type { KeyRole } from "./vocabulary.js";

export interface Operation {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Template relative to the base URL; every path ends with a slash. */
  path: `/${string}/`;
  /** Other spelling of the path that also occurs. */
  alias?: `/${string}/`;
  summary: string;
  query?: QueryName;
  body?: BodyName;
  /** True when the request may come without a body. */
  bodyOptional?: boolean;
  status: 200 | 201 | 204;
  record?: RecordName;
  /** True when the response is a plain array of `record`. */
  list?: boolean;
  /** Roles that an API key needs; any role where it is absent. */
  roles?: readonly KeyRole[];
  /** The owner of the key: a project (the default) or an organization. */
  keyOf?: "organization";
  /** Where the specification states the operation. */
  source: string;
}

const P = "/projects/{project_id}";
const X = `${P}/experiments/{experiment_id}` as const;
const J = `${X}/jobs/{job_id}` as const;
const endpoints = "service-api.md, Endpoints";
const datasetWorkflow = "service-api.md, Dataset workflow";
const launchRule = "service-api.md, Job launch rule";
const authentication = "service-api.md, Authentication";
const events = "service-api.md, Events";
const billing: readonly KeyRole[] = ["billing_manager"];
const organizationBilling: readonly KeyRole[] = ["billing_manager", "owner"];

/** The 30 operations of the interface, one entry each. Everything else is derived from this table. */
// prettier-ignore
export const operations = {
  listOrganizationBillingEvents: { method: "GET", path: "/organizations/{organization_id}/billing/{billing_id}/events/", summary: "Billing events of an organization's account, newest first", status: 200, record: "organization_billing_event", list: true, roles: organizationBilling, keyOf: "organization", source: authentication },
  listBillingEvents: { method: "GET", path: `${P}/billing/events/`, summary: "Billing events of the project, newest first", status: 200, record: "billing_event", list: true, roles: billing, source: authentication },
  listDatasets: { method: "GET", path: `${P}/datasets/`, summary: "Datasets of the project", status: 200, record: "dataset", list: true, source: endpoints },
  createDataset: { method: "POST", path: `${P}/datasets/`, summary: "Create a dataset and obtain a signed upload address", body: "dataset_create", status: 201, record: "dataset_created", source: datasetWorkflow },
  getDataset: { method: "GET", path: `${P}/datasets/{dataset_id}/`, summary: "One dataset", status: 200, record: "dataset_detail", source: endpoints },
  getDatasetStatus: { method: "GET", path: `${P}/datasets/{dataset_id}/status/`, summary: "Processing status of a dataset, with error messages", status: 200, record: "dataset_status", source: datasetWorkflow },
  listExperiments: { method: "GET", path: `${P}/experiments/`, summary: "Experiments of the project", status: 200, record: "experiment", list: true, source: endpoints },
  createExperiment: { method: "POST", path: `${P}/experiments/`, summary: "Create an experiment as a draft", body: "experiment_create", status: 201, record: "experiment", source: endpoints },
  getExperiment: { method: "GET", path: `${X}/`, summary: "One experiment with its datasets and jobs", status: 200, record: "experiment_detail", source: endpoints },
  listJobs: { method: "GET", path: `${X}/jobs/`, summary: "Jobs of an experiment", status: 200, record: "job", list: true, source: endpoints },
  createJob: { method: "POST", path: `${X}/jobs/`, summary: "Create a job as a draft", body: "job_create", status: 201, record: "job", source: endpoints },
  getJob: { method: "GET", path: `${J}/`, summary: "One job", status: 200, record: "job_detail", source: endpoints },
  getJobCosts: { method: "GET", path: `${J}/costs/`, summary: "Costs of a job and the token to launch it", status: 200, record: "job_costs", source: launchRule },
  launchJob: { method: "POST", path: `${J}/launch/`, summary: "Launch a draft job with its costs token", body: "job_launch", status: 200, record: "job_launch", source: launchRule },
  listRaterPools: { method: "GET", path: `${X}/rater-pools/`, alias: `${X}/rater_pools/`, summary: "Rater pools open to an experiment", query: "kind", status: 200, record: "rater_pool", list: true, source: endpoints },
  listRaters: { method: "GET", path: `${X}/raters/`, summary: "Raters of an experiment", status: 200, record: "rater", list: true, source: endpoints },
  listRatings: { method: "GET", path: `${X}/ratings/`, summary: "Ratings of an experiment", query: "training", status: 200, record: "rating", list: true, source: endpoints },
  listResults: { method: "GET", path: `${X}/results/`, summary: "Published metrics of an experiment", query: "metric_source", status: 200, record: "result", list: true, source: endpoints },
  listSessions: { method: "GET", path: `${X}/sessions/`, summary: "Sessions of an experiment", query: "training", status: 200, record: "session", list: true, source: endpoints },
  listSlates: { method: "GET", path: `${X}/slates/`, summary: "Slates of an experiment, each with its ratings", query: "training", status: 200, record: "slate", list: true, source: endpoints },
  listMetrics: { method: "GET", path: `${P}/metrics/`, summary: "Metrics across jobs, experiments and leaderboards", query: "metric_source", status: 200, record: "metric", list: true, source: endpoints },
  listRubrics: { method: "GET", path: `${P}/rubrics/`, summary: "Rubrics of the project", status: 200, record: "rubric", list: true, source: endpoints },
  getRubric: { method: "GET", path: `${P}/rubrics/{rubric_id}/`, summary: "One rubric with the data of all its leaderboards", status: 200, record: "rubric_detail", source: endpoints },
  listLeaderboards: { method: "GET", path: `${P}/rubrics/{rubric_id}/leaderboards/`, summary: "Leaderboards of a rubric", status: 200, record: "leaderboard_detail", list: true, source: endpoints },
  getLeaderboard: { method: "GET", path: `${P}/rubrics/{rubric_id}/leaderboards/{leaderboard_id}/`, summary: "One leaderboard", status: 200, record: "leaderboard_detail", source: endpoints },
  listWebhooks: { method: "GET", path: `${P}/webhooks/`, summary: "Webhook subscriptions of the project", status: 200, record: "webhook", list: true, source: events },
  createWebhook: { method: "POST", path: `${P}/webhooks/`, summary: "Create a webhook subscription", body: "webhook_create", status: 201, record: "webhook", source: events },
  getWebhook: { method: "GET", path: `${P}/webhooks/{webhook_id}/`, summary: "One webhook subscription", status: 200, record: "webhook", source: events },
  updateWebhook: { method: "PATCH", path: `${P}/webhooks/{webhook_id}/`, summary: "Change a webhook subscription", body: "webhook_update", bodyOptional: true, status: 200, record: "webhook", source: events },
  deleteWebhook: { method: "DELETE", path: `${P}/webhooks/{webhook_id}/`, summary: "Delete a webhook subscription for good", status: 204, source: events },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as OperationName[];

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** An operation as its general interface, for code that walks the table. */
export function operation(name: OperationName): Operation {
  return operations[name];
}

/**
 * The upload of a dataset file, the one request whose address the service makes: an HTTP PUT to the signed
 * `upload_url` of a created dataset, without an API key.
 */
export const uploadDataset = {
  method: "PUT",
  address: "upload_url",
  summary: "Upload a dataset's file to its signed address, without an API key",
  status: 200,
  source: datasetWorkflow,
} as const;
