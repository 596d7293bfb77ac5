/** The operations of the interface. */
import { Type, type Static } from "typebox";
import { UsageError } from "../platform/index.js";
import type { BodyName, BodyOf } from "./bodies.js";
import type { RecordName, RecordOf } from "./records.js";
import {
  assumed,
  checkIdentifier,
  Enum,
  identifierPattern,
  IntegerEnum,
  metricKinds,
  raterPoolKinds,
  type ApiVersion,
  type KeyRole,
} from "./schema.js";

const identifierText = identifierPattern.slice(1, -1);

/** Every query parameter of the interface. Source: service-api.md, "Path and query parameters". */
export const queryParameters = {
  kind: Type.Object({
    kind: Type.Optional(IntegerEnum(raterPoolKinds, { description: "Filter by rater pool kind." })),
  }),
  training: Type.Object({
    training: Type.Optional(
      Enum(["true", "false"], {
        ...assumed({ default: "false" }),
        description: "Whether training data is included.",
      }),
    ),
  }),
  metric_source: Type.Object({
    metric: Type.Optional(Enum(metricKinds, { description: "Filter by metric." })),
    source: Type.Optional(
      Type.String({
        pattern: `^${identifierText}(,${identifierText})*$`,
        description:
          "Comma-separated identifiers: job or experiment, on the metrics list also leaderboard.",
      }),
    ),
  }),
} as const;

export type QueryName = keyof typeof queryParameters;
type QueryOf<N extends QueryName> = Static<(typeof queryParameters)[N]>;

export interface Operation {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Template relative to the base URL; every path ends with a slash. */
  path: `/${string}/`;
  /** Versions of the interface that have the operation; absent: all. */
  versions?: readonly ApiVersion[];
  alias?: `/${string}/`;
  summary: string;
  query?: QueryName;
  body?: BodyName;
  bodyOptional?: boolean;
  status: 200 | 201 | 204;
  record?: RecordName;
  /** True when the response is a plain array of `record`. */
  list?: boolean;
  /** Roles that may use the operation; absent: any role. */
  roles?: readonly KeyRole[];
  /** The owner of the key: a project (the default) or an organization. */
  keyOf?: "organization";
  source: string;
}

type PathTemplate = Operation["path"];
type Extra = Partial<
  Pick<Operation, "versions" | "alias" | "query" | "status" | "roles" | "keyOf" | "source">
>;

const endpoints = { source: "service-api.md, Endpoints" };
const datasetWorkflow = { source: "service-api.md, Dataset workflow" };
const launchRule = { source: "service-api.md, Job launch rule" };
const events = { source: "service-api.md, Events" };
const billing = { roles: ["billing_manager"], source: "service-api.md, Authentication" } as const;
const organizationBilling = {
  ...billing,
  roles: ["billing_manager", "owner"],
  keyOf: "organization",
} as const;

const get = <const P extends PathTemplate, const R extends RecordName, const E extends Extra>(
  path: P,
  record: R,
  summary: string,
  extra?: E,
) =>
  ({ method: "GET", path, record, summary, status: 200, ...endpoints, ...(extra as E) }) as const;

const list = <const P extends PathTemplate, const R extends RecordName, const E extends Extra>(
  path: P,
  record: R,
  summary: string,
  extra?: E,
) => ({ ...get(path, record, summary, extra), list: true }) as const;

const post = <
  const P extends PathTemplate,
  const B extends BodyName,
  const R extends RecordName,
  const E extends Extra,
>(
  path: P,
  body: B,
  record: R,
  summary: string,
  extra?: E,
) => {
  const status: Operation["status"] = 201;
  return {
    method: "POST",
    path,
    body,
    record,
    summary,
    status,
    ...endpoints,
    ...(extra as E),
  } as const;
};

const project = "/projects/{project_id}";
const dataset = `${project}/datasets/{dataset_id}` as const;
const experiment = `${project}/experiments/{experiment_id}` as const;
const job = `${experiment}/jobs/{job_id}` as const;
const rubric = `${project}/rubrics/{rubric_id}` as const;
const webhook = `${project}/webhooks/{webhook_id}` as const;
const raterPools = {
  query: "kind",
  alias: `${experiment}/rater_pools/`,
  versions: ["0.8.3"],
} as const;
const trainingQuery = { query: "training" } as const;
const metricSource = { query: "metric_source" } as const;

/** The 30 operations of the interface. Everything else is derived from this table. */
export const operations = {
  listOrganizationBillingEvents: list(
    "/organizations/{organization_id}/billing/{billing_id}/events/",
    "organization_billing_event",
    "Billing events of an organization's account, newest first",
    organizationBilling,
  ),
  listBillingEvents: list(
    `${project}/billing/events/`,
    "billing_event",
    "Billing events of the project, newest first",
    billing,
  ),
  listDatasets: list(`${project}/datasets/`, "dataset", "Datasets of the project"),
  createDataset: post(
    `${project}/datasets/`,
    "dataset_create",
    "dataset_created",
    "Create a dataset and obtain a signed upload address",
    datasetWorkflow,
  ),
  getDataset: get(`${dataset}/`, "dataset_detail", "One dataset"),
  getDatasetStatus: get(
    `${dataset}/status/`,
    "dataset_status",
    "Processing status of a dataset, with error messages",
    datasetWorkflow,
  ),
  listExperiments: list(`${project}/experiments/`, "experiment", "Experiments of the project"),
  createExperiment: post(
    `${project}/experiments/`,
    "experiment_create",
    "experiment",
    "Create an experiment as a draft",
  ),
  getExperiment: get(
    `${experiment}/`,
    "experiment_detail",
    "One experiment with its datasets and jobs",
  ),
  listJobs: list(`${experiment}/jobs/`, "job", "Jobs of an experiment"),
  createJob: post(`${experiment}/jobs/`, "job_create", "job", "Create a job as a draft"),
  getJob: get(`${job}/`, "job_detail", "One job"),
  getJobCosts: get(
    `${job}/costs/`,
    "job_costs",
    "Costs of a job and the token to launch it",
    launchRule,
  ),
  launchJob: post(
    `${job}/launch/`,
    "job_launch",
    "job_launch",
    "Launch a draft job with its costs token",
    {
      ...launchRule,
      status: 200,
    },
  ),
  listRaterPools: list(
    `${experiment}/rater-pools/`,
    "rater_pool",
    "Rater pools open to an experiment",
    raterPools,
  ),
  listRaters: list(`${experiment}/raters/`, "rater", "Raters of an experiment"),
  listRatings: list(`${experiment}/ratings/`, "rating", "Ratings of an experiment", trainingQuery),
  listResults: list(
    `${experiment}/results/`,
    "result",
    "Published metrics of an experiment",
    metricSource,
  ),
  listSessions: list(
    `${experiment}/sessions/`,
    "session",
    "Sessions of an experiment",
    trainingQuery,
  ),
  listSlates: list(
    `${experiment}/slates/`,
    "slate",
    "Slates of an experiment, each with its ratings",
    trainingQuery,
  ),
  listMetrics: list(
    `${project}/metrics/`,
    "metric",
    "Metrics across jobs, experiments and leaderboards",
    metricSource,
  ),
  listRubrics: list(`${project}/rubrics/`, "rubric", "Rubrics of the project"),
  getRubric: get(`${rubric}/`, "rubric_detail", "One rubric with the data of all its leaderboards"),
  listLeaderboards: list(
    `${rubric}/leaderboards/`,
    "leaderboard_detail",
    "Leaderboards of a rubric",
  ),
  getLeaderboard: get(
    `${rubric}/leaderboards/{leaderboard_id}/`,
    "leaderboard_detail",
    "One leaderboard",
  ),
  listWebhooks: list(
    `${project}/webhooks/`,
    "webhook",
    "Webhook subscriptions of the project",
    events,
  ),
  createWebhook: post(
    `${project}/webhooks/`,
    "webhook_create",
    "webhook",
    "Create a webhook subscription",
    events,
  ),
  getWebhook: get(`${webhook}/`, "webhook", "One webhook subscription", events),
  updateWebhook: {
    ...post(`${webhook}/`, "webhook_update", "webhook", "Change a webhook subscription", events),
    method: "PATCH",
    status: 200,
    bodyOptional: true,
  },
  deleteWebhook: {
    method: "DELETE",
    path: `${webhook}/`,
    summary: "Delete a webhook subscription for good",
    status: 204,
    ...events,
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

export const operationNames = Object.keys(operations) as OperationName[];

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

export const operationNamesIn = (version: ApiVersion): OperationName[] =>
  operationNames.filter((name) => operation(name).versions?.includes(version) ?? true);

export function operation(name: OperationName): Operation {
  return operations[name];
}

/** The only request whose address the service creates: a PUT without an API key. */
export const datasetUpload = {
  method: "PUT",
  address: "upload_url",
  summary: "Upload a dataset's file to its signed address, without an API key",
  status: 200,
  ...datasetWorkflow,
} as const;

type Operations = typeof operations;

type ParametersIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersIn<Rest>
  : never;

type PathArguments<N extends OperationName> = Record<ParametersIn<Operations[N]["path"]>, string>;

type OperationQuery<N extends OperationName> = Operations[N] extends {
  query: infer Q extends QueryName;
}
  ? QueryOf<Q>
  : unknown;

type BodyArgument<N extends OperationName> = Operations[N] extends {
  body: infer B extends BodyName;
}
  ? Operations[N] extends { bodyOptional: true }
    ? { body?: BodyOf<B> | BodyOf<B, "0.7.5"> }
    : { body: BodyOf<B> | BodyOf<B, "0.7.5"> }
  : unknown;

export type ArgumentsOf<N extends OperationName> = PathArguments<N> &
  OperationQuery<N> &
  BodyArgument<N>;

type One<N extends OperationName> = Operations[N] extends {
  record: infer R extends RecordName;
}
  ? RecordOf<R> | RecordOf<R, "0.7.5">
  : null;

export type ResponseOf<N extends OperationName> = Operations[N] extends { list: true }
  ? One<N>[]
  : One<N>;

export function pathParameters(name: OperationName): string[] {
  return [...operation(name).path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
}

/** @throws UsageError when an identifier is missing or does not match the pattern. */
export function requestPath(name: OperationName, args: Readonly<Record<string, unknown>>): string {
  return operation(name).path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = args[parameter];
    if (typeof value !== "string") throw new UsageError(`${name} needs ${parameter}.`);
    return checkIdentifier(parameter, value);
  });
}
