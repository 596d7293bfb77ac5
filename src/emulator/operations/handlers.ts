import type { BodyOf, OperationName } from "../../contract/index.js";
import { randomHex } from "../../platform/index.js";
import { createDataset } from "../datasets/uploads.js";
import { type Filled, findOr404, freshIdentifier, type Handler, instant, type RequestContext, studyOf } from "../emulator.js";
import { json, list, notFound, type OutgoingResponse, presentEach } from "../http/response.js";
import type { State, Webhook } from "../state/state.js";
import type { StateChange } from "../state/store.js";
import { boardResult, presentBillingEvent, presentDataset, presentDatasetDetail, presentExperiment, presentExperimentDetail, presentJob, presentLeaderboard, presentRaters, presentRatings, presentRubric, presentSessions, presentSlates } from "./present.js";
import { createExperiment, createJob, getJobCosts, jobOf, launchJob } from "./studies.js";

const sources = ({ query }: RequestContext): string[] | undefined =>
  typeof query.source === "string" ? query.source.split(",") : undefined;

const wanted =
  ({ query }: RequestContext) =>
  ({ kind }: { kind: string }): boolean =>
    query.metric === undefined || query.metric === kind;

/** Results of one experiment: whole by default, or for each identifier that `source` names. */
export function listResults(context: RequestContext): OutgoingResponse {
  const study = studyOf(context);
  const whole = (id: string): boolean => id === study.experiment.id;
  const known = (sources(context) ?? [study.experiment.id]).filter((id) => whole(id) || study.jobs.has(id));
  const results = [...new Set(known)].flatMap((id) => context.emulator.results.of(study, whole(id) ? "" : id));
  return list({ values: results.filter(wanted(context)) });
}

/** Results across the project, each naming what it belongs to. Without `source`: every experiment whole. */
export function listMetrics(context: RequestContext): OutgoingResponse {
  const { emulator, project } = context;
  const named = sources(context);
  const rows: { kind: string }[] = [];
  for (const study of project.studies.values()) {
    const { id: experiment_id } = study.experiment;
    const of = (id: string, job_id: string | null) =>
      emulator.results
        .of(study, job_id ?? "")
        .map((result) => ({ ...result, source: id, experiment_id, job_id, leaderboard_id: null }));
    if (named === undefined || named.includes(experiment_id)) rows.push(...of(experiment_id, null));
    for (const job of study.jobs.keys()) if (named?.includes(job)) rows.push(...of(job, job));
  }
  for (const board of [...project.rubrics.values()].flatMap((rubric) => rubric.leaderboards)) {
    const result = named?.includes(board.id) ? boardResult(emulator, project, board) : undefined;
    const { experiment_id, id } = board;
    if (result !== undefined)
      rows.push({ ...result, source: id, experiment_id, job_id: null, leaderboard_id: id } as { kind: string });
  }
  return list({ values: rows.filter(wanted(context)) });
}

/** POST webhook. Creates the project's secret if it has none, and shows it only in this response. */
export async function createWebhook(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project } = context;
  const { url, events, description, is_active } = context.body as Filled<"webhook_create">;
  const now = instant(emulator);
  const value: Webhook = {
    id: freshIdentifier(emulator, (one) => project.webhooks.has(one)),
    ...{ url, events, description, is_active, date_created: now, date_updated: now },
  };
  const changes: StateChange[] = [{ set: "webhook", project: project.id, value }];
  const secret = project.webhook_secret === null ? `whsec${randomHex(24)}` : null;
  if (secret !== null) changes.unshift({ set: "secret", project: project.id, value: secret });
  await emulator.store.commit(changes);
  return json(201, secret === null ? value : { ...value, secret });
}

export async function updateWebhook(context: RequestContext): Promise<OutgoingResponse> {
  const { emulator, project, params } = context;
  const before = findOr404(project.webhooks, params.webhook_id, "webhook");
  const {
    url = before.url,
    events = before.events,
    description = before.description ?? "",
    is_active = before.is_active,
  } = context.body as BodyOf<"webhook_update">;
  const value: Webhook = { ...before, url, events, description, is_active, date_updated: instant(emulator) };
  await emulator.store.commit([{ set: "webhook", project: project.id, value }]);
  return json(200, value);
}

export async function deleteWebhook({ emulator, project, params }: RequestContext): Promise<OutgoingResponse> {
  const { id } = findOr404(project.webhooks, params.webhook_id, "webhook");
  await emulator.store.commit([{ set: "no webhook", project: project.id, value: id }]);
  return { status: 204, headers: {}, body: null };
}

const wantsTraining = ({ query, emulator }: RequestContext): boolean =>
  query.training === undefined ? emulator.settings.defaultTraining : query.training === "true";

const versionOf = ({ emulator }: RequestContext) => emulator.settings.apiVersion;

const listOf = <T>(rows: Iterable<T>, present: (row: T) => unknown = (row) => row): OutgoingResponse =>
  list(presentEach(rows, present));

const datasetOf = ({ project, params }: RequestContext) => findOr404(project.datasets, params.dataset_id, "dataset");

function rubricOf(context: RequestContext) {
  const rubric = findOr404(context.project.rubrics, context.params.rubric_id, "rubric");
  const boards = new Map(
    rubric.leaderboards.map((board) => {
      const present = () => presentLeaderboard(context.emulator, context.project, rubric, board);
      return [board.id, present] as const;
    }),
  );
  return { rubric, boards };
}

/** One handler for each operation on a project. An operation without one gets 404. */
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
  listBillingEvents: ({ project }) => listOf(project.billing.toReversed(), presentBillingEvent),
  listDatasets: ({ project }) => listOf(project.datasets.values(), presentDataset),
  getDataset: (context) => json(200, presentDatasetDetail(datasetOf(context))),
  getDatasetStatus: (context) => {
    const { status, errors } = datasetOf(context);
    return json(200, { status, errors });
  },
  listExperiments: (context) =>
    listOf(context.project.studies.values(), (study) => presentExperiment(study, versionOf(context))),
  getExperiment: (context) => json(200, presentExperimentDetail(context.project, studyOf(context), versionOf(context))),
  listJobs: (context) => listOf(studyOf(context).jobs.values(), (job) => presentJob(job, versionOf(context))),
  getJob: (context) => json(200, presentJob(jobOf(context), versionOf(context), "job_detail")),
  listRaterPools: (context) => {
    studyOf(context);
    const { kind } = context.query;
    const pools = context.project.pools.map(({ pool }) => pool);
    return listOf(pools.filter((pool) => kind === undefined || pool.kind === kind));
  },
  listRaters: (context) => list(presentRaters(studyOf(context), versionOf(context))),
  listRatings: (context) => list(presentRatings(studyOf(context), wantsTraining(context))),
  listSlates: (context) => list(presentSlates(studyOf(context), wantsTraining(context), versionOf(context))),
  listSessions: (context) => list(presentSessions(studyOf(context), wantsTraining(context), versionOf(context))),
  listRubrics: ({ project }) => listOf(project.rubrics.values(), presentRubric),
  getRubric: (context) => {
    const { rubric, boards } = rubricOf(context);
    return json(200, { ...rubric, leaderboards: [...boards.values()].map((present) => present()) });
  },
  listLeaderboards: (context) => listOf(rubricOf(context).boards.values(), (present) => present()),
  getLeaderboard: (context) =>
    json(200, findOr404(rubricOf(context).boards, context.params.leaderboard_id, "leaderboard")()),
  listWebhooks: ({ project }) => listOf(project.webhooks.values()),
  getWebhook: ({ project, params }) => json(200, findOr404(project.webhooks, params.webhook_id, "webhook")),
};

/** Billing events of all projects of an organization, newest first. */
export function listOrganizationBillingEvents(
  state: State,
  organizationId: string,
  billingId: string,
): OutgoingResponse {
  if (state.organizations.get(organizationId)?.billing_id !== billingId) throw notFound("billing account");
  const events = [...state.projects.values()]
    .filter((project) => project.organization_id === organizationId)
    .flatMap((project) => project.billing)
    .sort((a, b) => (a.date_created === b.date_created ? 0 : a.date_created < b.date_created ? 1 : -1));
  return listOf(events, (event) => ({ ...presentBillingEvent(event), project_id: event.project_id }));
}
