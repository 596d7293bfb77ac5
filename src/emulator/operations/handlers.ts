import type { OperationName } from "../../contract/index.js";
import { list, json } from "../http/outgoing.js";
import {
  billingShape,
  datasetDetailShape,
  datasetShape,
  experimentDetailShape,
  experimentShape,
  jobDetailShape,
  jobShape,
  leaderboardShape,
  rubricShape,
} from "../presenters/records.js";
import { raterRows, ratingRows, sessionRows, slateRows } from "../presenters/rows.js";
import { found, studyOf, type Asked, type Handler } from "./context.js";
import { listMetrics, listResults } from "./results.js";
import { createDataset } from "./datasets.js";
import { createExperiment } from "./experiments.js";
import { createJob, getJobCosts, launchJob } from "./jobs.js";
import { createWebhook, deleteWebhook, updateWebhook } from "./webhooks.js";

const wantsTraining = ({ query, service }: Asked): boolean =>
  query["training"] === undefined ? service.settings.defaultTraining : query["training"] === "true";

const version = ({ service }: Asked) => service.settings.apiVersion;

function* shaped<T>(rows: Iterable<T>, shape: (row: T) => unknown): Generator {
  for (const row of rows) yield shape(row);
}

const rowsOf = <T>(rows: Iterable<T>, shape: (row: T) => unknown = (row) => row) =>
  list({ values: shaped(rows, shape) });

const rubricOf = ({ project, params }: Asked) => found(project.rubrics, params["rubric_id"], "rubric");

/** Every operation that reads one project, but for costs, which make a token. */
export const reading = {
  listBillingEvents: ({ project }) => rowsOf(project.billing.toReversed(), billingShape),
  listDatasets: ({ project }) => rowsOf(project.datasets.values(), datasetShape),
  getDataset: ({ project, params }) =>
    json(200, datasetDetailShape(found(project.datasets, params["dataset_id"], "dataset"))),
  getDatasetStatus: ({ project, params }) => {
    const { status, errors } = found(project.datasets, params["dataset_id"], "dataset");
    return json(200, { status, errors });
  },
  listExperiments: (asked) => rowsOf(asked.project.studies.values(), (study) => experimentShape(study, version(asked))),
  getExperiment: (asked) => json(200, experimentDetailShape(asked.project, studyOf(asked), version(asked))),
  listJobs: (asked) => rowsOf(studyOf(asked).jobs.values(), (job) => jobShape(job, version(asked))),
  getJob: (asked) =>
    json(200, jobDetailShape(found(studyOf(asked).jobs, asked.params["job_id"], "job"), version(asked))),
  listRaterPools: (asked) => {
    studyOf(asked);
    const { kind } = asked.query;
    return rowsOf(
      asked.project.pools.map(({ pool }) => pool).filter((pool) => kind === undefined || pool.kind === kind),
    );
  },
  listRaters: (asked) => list(raterRows(studyOf(asked), version(asked))),
  listRatings: (asked) => list(ratingRows(studyOf(asked), wantsTraining(asked))),
  listSlates: (asked) => list(slateRows(studyOf(asked), wantsTraining(asked), version(asked))),
  listSessions: (asked) => list(sessionRows(studyOf(asked), wantsTraining(asked), version(asked))),
  listResults,
  listMetrics,
  listRubrics: ({ project }) => rowsOf(project.rubrics.values(), rubricShape),
  getRubric: (asked) => {
    const { leaderboards, ...rubric } = rubricOf(asked);
    const boards = leaderboards.map((board) => leaderboardShape(asked.service, asked.project, rubricOf(asked), board));
    return json(200, { ...rubric, leaderboards: boards });
  },
  listLeaderboards: (asked) =>
    rowsOf(rubricOf(asked).leaderboards, (board) =>
      leaderboardShape(asked.service, asked.project, rubricOf(asked), board),
    ),
  getLeaderboard: (asked) => {
    const boards = new Map(rubricOf(asked).leaderboards.map((board) => [board.id, board]));
    const board = found(boards, asked.params["leaderboard_id"], "leaderboard");
    return json(200, leaderboardShape(asked.service, asked.project, rubricOf(asked), board));
  },
  listWebhooks: ({ project }) => rowsOf(project.webhooks.values()),
  getWebhook: ({ project, params }) => json(200, found(project.webhooks, params["webhook_id"], "webhook")),
} satisfies Partial<Record<OperationName, Handler>>;

/** Every operation that changes the project; costs are among them, since they make a token. */
export const writing = {
  createDataset,
  createExperiment,
  createJob,
  getJobCosts,
  launchJob,
  createWebhook,
  updateWebhook,
  deleteWebhook,
} satisfies Partial<Record<OperationName, Handler>>;

/** One handler for each operation of the contract that is about a project. */
export const handlers = { ...reading, ...writing } satisfies Partial<Record<OperationName, unknown>>;

/** The compiler's word that none is missing. */
export type Unhandled = Exclude<OperationName, keyof typeof handlers | "listOrganizationBillingEvents">;
export const noneMissing: Unhandled extends never ? true : false = true;
