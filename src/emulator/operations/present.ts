// Records as a response of either version has them.
import {
  type ApiVersion,
  defaultApiVersion,
  type RecordName,
  records,
} from "../../contract/index.js";
import { listResponse, type OutgoingResponse } from "../http/response.js";
import type { PublishedResults, PublishedResult } from "../publishing/results.js";
import type { BillingEvent, Dataset, Job, Leaderboard, Project, Rubric, Study } from "../state.js";

type Fields = Record<string, unknown>;

/** In the contract's order. */
function present(
  record: RecordName,
  from: object,
  version: ApiVersion = defaultApiVersion,
): Fields {
  const names = Object.keys(records[record][version].properties).filter((name) => name in from);
  return Object.fromEntries(names.map((name) => [name, (from as Fields)[name]]));
}

export const presentBillingEvent = (event: BillingEvent): Fields => present("billing_event", event);

export const presentDataset = (dataset: Dataset): Fields => present("dataset", dataset);

export const presentDatasetDetail = (dataset: Dataset): Fields =>
  present("dataset_detail", { ...dataset, num_stimuli: dataset.stimuli.length });

/** 0.8.3 has a pool object and counts, 0.7.5 an integer pool and `neighbour`. */
export function presentJob(
  job: Job,
  version: ApiVersion,
  record: "job" | "job_detail" = "job",
): Fields {
  const { config } = job;
  const isOlder = version === "0.7.5" && config.strategy === "neighbor";
  return present(
    record,
    isOlder ? { ...job, config: { ...config, strategy: "neighbour" } } : job,
    version,
  );
}

export const presentExperiment = ({ experiment, jobs }: Study, version: ApiVersion): Fields =>
  present("experiment", { ...experiment, job_ids: [...jobs.keys()] }, version);

export function presentExperimentDetail(
  project: Project,
  { experiment, jobs }: Study,
  version: ApiVersion,
): Fields {
  const summaries = (ids: readonly string[]) =>
    ids.flatMap((id) => {
      const dataset = project.datasets.get(id);
      return dataset === undefined ? [] : [withoutFields(presentDataset(dataset), "id")];
    });
  const detail = {
    ...experiment,
    datasets: summaries(experiment.dataset_ids),
    training_datasets: summaries(experiment.training_dataset_ids),
    jobs: [...jobs.values()].map((job) => presentJob(job, version)),
  };
  return present("experiment_detail", detail, version);
}

export function boardResult(
  results: PublishedResults,
  project: Project,
  board: Leaderboard,
): PublishedResult | undefined {
  const study = project.studies.get(board.experiment_id);
  const own = study === undefined ? [] : results(study);
  return own.find(({ kind, dimension }) => kind === board.kind && dimension === board.dimension);
}

/** Scores are best first. */
export function presentLeaderboard(
  results: PublishedResults,
  project: Project,
  rubric: Rubric,
  board: Leaderboard,
): Fields {
  const main = (row: Fields): number => Number(row.value ?? row.mean ?? row.wins ?? 0);
  return {
    ...present("leaderboard_detail", board),
    rubric_id: rubric.id,
    experiment_ids: [board.experiment_id],
    scores: (boardResult(results, project, board)?.scores ?? []).toSorted(
      (a, b) => main(b) - main(a),
    ),
  };
}

export const presentRubric = ({ leaderboards, ...rubric }: Rubric): Fields => ({
  ...rubric,
  leaderboards: leaderboards.map(({ id, name, date_updated }) => ({ id, name, date_updated })),
});

const withoutFields = (row: Fields, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));

const olderRater = (row: Fields): Fields => ({ ...row, id: Number(row.id) });

/** Lists without an entry are the same in both versions. */
export const olderRows: Partial<Record<string, (row: Fields) => Fields>> = {
  listRaters: olderRater,
  listSessions: (row) => ({ ...row, rater: olderRater(row.rater as Fields) }),
  listSlates: (row) => ({ ...row, rater_id: Number(row.rater_id) }),
  listJobs: (row) => ({
    ...withoutFields(row, "rater_pool", "num_comparisons", "num_training"),
    pool: 1,
  }),
  listExperiments: (row) => ({ ...withoutFields(row, "type"), version: 1 }),
};

const listsOfStudy = {
  listRaters: ({ sessions }) =>
    new Map([...sessions.values()].map(({ rater }) => [rater.id, rater])).values(),
  listRatings: ({ ratings, slates }, training) =>
    (ratings ?? slates.flatMap((slate) => slate.ratings)).filter(
      (rating) => training || !rating.is_training,
    ),
  /** Without training, sessions that consist of training slates alone are left out. */
  listSessions({ sessions, slates }, training) {
    const serious = new Set(
      slates.filter((slate) => !slate.is_training).map((slate) => slate.session_id),
    );
    const hidden = new Set(
      slates.map((slate) => slate.session_id).filter((id) => !training && !serious.has(id)),
    );
    return [...sessions.values()].filter(({ id }) => !hidden.has(id));
  },
  listSlates: ({ slates }, training) => slates.filter((slate) => training || !slate.is_training),
} satisfies Record<string, (study: Study, training: boolean) => Iterable<object>>;

type AnswerList = keyof typeof listsOfStudy;

export function listAnswers(
  name: AnswerList,
  study: Study,
  training: boolean,
  version: ApiVersion,
): OutgoingResponse {
  const change = version === "0.7.5" ? olderRows[name] : undefined;
  return listResponse<object>(
    listsOfStudy[name](study, training),
    (row) => change?.(row as Fields) ?? row,
  );
}
