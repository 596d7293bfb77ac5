// What each operation on a project answers.
import type { BodyOf, OperationName } from "../../contract/index.js";
import { randomHex } from "../../platform/index.js";
import {
  type Filled,
  findOr404,
  newIdentifier,
  type Handler,
  instantNow,
  type RequestContext,
  studyOf,
} from "../emulator.js";
import { json, listResponse, notFound, type OutgoingResponse } from "../http/response.js";
import type { State, Webhook } from "../state.js";
import { createDataset } from "./datasets.js";
import {
  boardResult,
  listAnswers,
  presentBillingEvent,
  presentDataset,
  presentDatasetDetail,
  presentExperiment,
  presentExperimentDetail,
  presentJob,
  presentLeaderboard,
  presentRubric,
} from "./present.js";
import { createExperiment, createJob, getJobCosts, jobOf, launchJob } from "./studies.js";

const apiVersionOf = ({ emulator }: RequestContext) => emulator.settings.apiVersion;

const listHandler =
  (name: Parameters<typeof listAnswers>[0]): Handler =>
  (context) =>
    listAnswers(name, studyOf(context), context.query.training === "true", apiVersionOf(context));

const datasetOf = ({ project, params }: RequestContext) =>
  findOr404(project.datasets, params.dataset_id, "dataset");

const webhookOf = ({ project, params }: RequestContext) =>
  findOr404(project.webhooks, params.webhook_id, "webhook");

function rubricOf({ emulator, project, params }: RequestContext) {
  const { leaderboards, ...rubric } = findOr404(project.rubrics, params.rubric_id, "rubric");
  const present = (id: string) =>
    leaderboards
      .filter((board) => board.id === id)
      .map((board) =>
        presentLeaderboard(emulator.results, project, { leaderboards, ...rubric }, board),
      )[0];
  return { rubric, ids: leaderboards.map(({ id }) => id), present };
}

/** An operation without a handler gets 404. */
export const handlers: Partial<Record<OperationName, Handler>> = {
  createDataset,
  createExperiment,
  createJob,
  getJobCosts,
  launchJob,
  createWebhook,
  updateWebhook,
  deleteWebhook,
  listResults,
  listMetrics,
  listBillingEvents: ({ project }) =>
    listResponse(project.billing.toReversed(), presentBillingEvent),
  listDatasets: ({ project }) => listResponse(project.datasets.values(), presentDataset),
  getDataset: (context) => json(200, presentDatasetDetail(datasetOf(context))),
  getDatasetStatus: (context) => {
    const { status, errors } = datasetOf(context);
    return json(200, { status, errors });
  },
  listExperiments: (context) =>
    listResponse(context.project.studies.values(), (study) =>
      presentExperiment(study, apiVersionOf(context)),
    ),
  getExperiment: (context) =>
    json(200, presentExperimentDetail(context.project, studyOf(context), apiVersionOf(context))),
  listJobs: (context) =>
    listResponse(studyOf(context).jobs.values(), (job) => presentJob(job, apiVersionOf(context))),
  getJob: (context) => json(200, presentJob(jobOf(context), apiVersionOf(context), "job_detail")),
  listRaterPools: (context) => {
    studyOf(context);
    const { kind } = context.query;
    const pools = context.project.pools.map(({ pool }) => pool);
    return listResponse(pools.filter((pool) => kind === undefined || pool.kind === kind));
  },
  listRaters: listHandler("listRaters"),
  listRatings: listHandler("listRatings"),
  listSlates: listHandler("listSlates"),
  listSessions: listHandler("listSessions"),
  listRubrics: ({ project }) => listResponse(project.rubrics.values(), presentRubric),
  getRubric: (context) => {
    const { rubric, ids, present } = rubricOf(context);
    return json(200, { ...rubric, leaderboards: ids.map(present) });
  },
  listLeaderboards: (context) => {
    const { ids, present } = rubricOf(context);
    return listResponse(ids, present);
  },
  getLeaderboard: (context) => {
    const board = rubricOf(context).present(context.params.leaderboard_id ?? "");
    if (board === undefined) throw notFound("leaderboard");
    return json(200, board);
  },
  listWebhooks: ({ project }) => listResponse(project.webhooks.values()),
  getWebhook: (context) => json(200, webhookOf(context)),
};

/** Newest first. */
export function listOrganizationBillingEvents(
  state: State,
  organizationId: string,
  billingId: string,
): OutgoingResponse {
  if (state.organizations.get(organizationId)?.billing_id !== billingId)
    throw notFound("billing account");
  const events = [...state.projects.values()]
    .filter((project) => project.organization_id === organizationId)
    .flatMap((project) => project.billing)
    .sort((a, b) =>
      a.date_created === b.date_created ? 0 : a.date_created < b.date_created ? 1 : -1,
    );
  return listResponse(events, (event) => ({
    ...presentBillingEvent(event),
    project_id: event.project_id,
  }));
}

const requestedSources = ({ query }: RequestContext): string[] | undefined =>
  typeof query.source === "string" ? query.source.split(",") : undefined;

const listWanted = (
  { query }: RequestContext,
  results: readonly { kind: string }[],
): OutgoingResponse =>
  listResponse(results.filter(({ kind }) => query.metric === undefined || query.metric === kind));

/** Whole by default, or for each identifier that `source` names. */
function listResults(context: RequestContext): OutgoingResponse {
  const study = studyOf(context);
  const { id: whole } = study.experiment;
  const known = (requestedSources(context) ?? [whole]).filter(
    (id) => id === whole || study.jobs.has(id),
  );
  const results = [...new Set(known)].flatMap((id) =>
    context.emulator.results(study, id === whole ? "" : id),
  );
  return listWanted(context, results);
}

/** Each result names what it belongs to. Without `source`: every experiment whole. */
function listMetrics(context: RequestContext): OutgoingResponse {
  const { results } = context.emulator;
  const named = requestedSources(context);
  const rows: { kind: string }[] = [];
  for (const study of context.project.studies.values()) {
    const { id: experiment_id } = study.experiment;
    const of = (source: string, job_id: string | null) =>
      results(study, job_id ?? "").map((result) => ({
        ...result,
        source,
        experiment_id,
        job_id,
        leaderboard_id: null,
      }));
    if (named === undefined || named.includes(experiment_id)) rows.push(...of(experiment_id, null));
    for (const job of study.jobs.keys()) if (named?.includes(job)) rows.push(...of(job, job));
  }
  for (const board of [...context.project.rubrics.values()].flatMap(
    (rubric) => rubric.leaderboards,
  )) {
    const { experiment_id, id } = board;
    const result = named?.includes(id) ? boardResult(results, context.project, board) : undefined;
    const row = { ...result, source: id, experiment_id, job_id: null, leaderboard_id: id };
    if (result !== undefined) rows.push({ ...row, kind: result.kind });
  }
  return listWanted(context, rows);
}

/** The project's secret is created if it has none, and shown only in this response. */
function createWebhook(context: RequestContext): OutgoingResponse {
  const { emulator, project } = context;
  const { url, events, description, is_active } = context.body as Filled<"webhook_create">;
  const now = instantNow(emulator);
  const id = newIdentifier(emulator);
  const value: Webhook = {
    id,
    url,
    events,
    description,
    is_active,
    date_created: now,
    date_updated: now,
  };
  project.webhooks.set(id, value);
  if (project.webhook_secret !== null) return json(201, value);
  project.webhook_secret = `whsec${randomHex(24)}`;
  return json(201, { ...value, secret: project.webhook_secret });
}

function updateWebhook(context: RequestContext): OutgoingResponse {
  const { emulator, project } = context;
  const body = context.body as BodyOf<"webhook_update">;
  const value: Webhook = { ...webhookOf(context), ...body, date_updated: instantNow(emulator) };
  project.webhooks.set(value.id, value);
  return json(200, value);
}

function deleteWebhook(context: RequestContext): OutgoingResponse {
  context.project.webhooks.delete(webhookOf(context).id);
  return { status: 204, headers: {}, body: null };
}
