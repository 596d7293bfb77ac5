import type { OperationName } from "../../contract/index.js";
import { list, json, stringified } from "../http/outgoing.js";
import { raterShape, sessionShape, slateShape } from "../shapes/answers.js";
import { billingShape } from "../shapes/billing.js";
import { datasetDetailShape, datasetShape } from "../shapes/dataset.js";
import { experimentDetailShape, experimentShape } from "../shapes/experiment.js";
import { jobDetailShape, jobShape } from "../shapes/job.js";
import { leaderboardShape, rubricShape } from "../shapes/leaderboard.js";
import type { Rating, Slate } from "../state/records.js";
import { found, studyOf, type Asked, type Handler } from "./asked.js";
import { listMetrics, listResults } from "./results.js";

const wantsTraining = ({ query, service }: Asked): boolean =>
  query["training"] === undefined ? service.settings.defaultTraining : query["training"] === "true";

const version = ({ service }: Asked) => service.settings.apiVersion;

function* ratingsOf(slates: readonly Slate[]): Generator<Rating> {
  for (const slate of slates) yield* slate.ratings;
}

function* filtered<T>(rows: Iterable<T>, keep: (row: T) => boolean): Generator<T> {
  for (const row of rows) if (keep(row)) yield row;
}

function* shaped<T>(rows: Iterable<T>, shape: (row: T) => unknown): Generator {
  for (const row of rows) yield shape(row);
}

/** Sessions that hold training slates and nothing else. */
function trainingSessions(slates: readonly Slate[]): Set<string> {
  const sessions = new Set(slates.filter((slate) => slate.is_training).map((slate) => slate.session_id));
  for (const slate of slates) if (!slate.is_training) sessions.delete(slate.session_id);
  return sessions;
}

const rowsOf = <T>(rows: Iterable<T>, shape: (row: T) => unknown = (row) => row) => list(stringified(shaped(rows, shape)));

const rubricOf = ({ project, params }: Asked) => found(project.rubrics, params["rubric_id"], "rubric");

/** Every operation that reads one project, but for costs, which make a token. */
export const reading: Partial<Record<OperationName, Handler>> = {
  listBillingEvents: ({ project }) => rowsOf(project.billing.toReversed(), billingShape),
  listDatasets: ({ project }) => rowsOf(project.datasets.values(), datasetShape),
  getDataset: ({ project, params }) => json(200, datasetDetailShape(found(project.datasets, params["dataset_id"], "dataset"))),
  getDatasetStatus: ({ project, params }) => {
    const { status, errors } = found(project.datasets, params["dataset_id"], "dataset");
    return json(200, { status, errors });
  },
  listExperiments: (asked) => rowsOf(asked.project.studies.values(), (study) => experimentShape(study, version(asked))),
  getExperiment: (asked) => json(200, experimentDetailShape(asked.project, studyOf(asked), version(asked))),
  listJobs: (asked) => rowsOf(studyOf(asked).jobs.values(), (job) => jobShape(job, version(asked))),
  getJob: (asked) => json(200, jobDetailShape(found(studyOf(asked).jobs, asked.params["job_id"], "job"), version(asked))),
  listRaterPools: (asked) => {
    studyOf(asked);
    const { kind } = asked.query;
    return rowsOf(asked.project.pools.map(({ pool }) => pool).filter((pool) => kind === undefined || pool.kind === kind));
  },
  listRaters: (asked) => rowsOf(studyOf(asked).raters.values(), (rater) => raterShape(rater, version(asked))),
  listRatings: (asked) => {
    const study = studyOf(asked);
    const training = wantsTraining(asked);
    return rowsOf(filtered(study.ratings ?? ratingsOf(study.slates), (rating) => training || !rating.is_training));
  },
  listSlates: (asked) => {
    const training = wantsTraining(asked);
    const slates = filtered(studyOf(asked).slates, (slate) => training || !slate.is_training);
    return rowsOf(slates, (slate) => slateShape(slate, version(asked)));
  },
  listSessions: (asked) => {
    const study = studyOf(asked);
    const training = wantsTraining(asked) ? new Set<string>() : trainingSessions(study.slates);
    const sessions = filtered(study.sessions.values(), ({ id }) => !training.has(id));
    return rowsOf(sessions, (session) => sessionShape(session, version(asked)));
  },
  listResults,
  listMetrics,
  listRubrics: ({ project }) => rowsOf(project.rubrics.values(), rubricShape),
  getRubric: (asked) => {
    const { leaderboards, ...rubric } = rubricOf(asked);
    const boards = leaderboards.map((board) => leaderboardShape(asked.service, asked.project, rubricOf(asked), board));
    return json(200, { ...rubric, leaderboards: boards });
  },
  listLeaderboards: (asked) =>
    rowsOf(rubricOf(asked).leaderboards, (board) => leaderboardShape(asked.service, asked.project, rubricOf(asked), board)),
  getLeaderboard: (asked) => {
    const boards = new Map(rubricOf(asked).leaderboards.map((board) => [board.id, board]));
    const board = found(boards, asked.params["leaderboard_id"], "leaderboard");
    return json(200, leaderboardShape(asked.service, asked.project, rubricOf(asked), board));
  },
  listWebhooks: ({ project }) => rowsOf(project.webhooks.values()),
  getWebhook: ({ project, params }) => json(200, found(project.webhooks, params["webhook_id"], "webhook")),
};
