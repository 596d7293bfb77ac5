import type { OperationName } from "../../contract/index.js";
import { notFound } from "../http/http-error.js";
import { json, list, presentEach, type OutgoingResponse } from "../http/outgoing.js";
import {
  presentBillingEvent,
  presentDataset,
  presentDatasetDetail,
  presentExperiment,
  presentExperimentDetail,
  presentJob,
  presentLeaderboard,
  presentRubric,
} from "../presenters/records.js";
import { presentRaters, presentRatings, presentSessions, presentSlates } from "../presenters/rows.js";
import type { State } from "../state/state.js";
import { findOr404, studyOf, type Handler, type RequestContext } from "./context.js";
import { createDataset } from "./datasets.js";
import { createExperiment } from "./experiments.js";
import { createJob, getJobCosts, jobOf, launchJob } from "./jobs.js";
import { listMetrics, listResults } from "./results.js";
import { createWebhook, deleteWebhook, updateWebhook } from "./webhooks.js";

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
