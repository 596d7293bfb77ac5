import type { BillingEvent, Dataset, Project, Study, Leaderboard, Rubric } from "../state/state.js";
import type { ApiVersion } from "../../contract/index.js";
import type { Job } from "../state/records.js";
import type { Service } from "../service.js";

/** A billing event as a project sees it. */
export function billingShape(event: BillingEvent): Record<string, unknown> {
  const { id, kind, date_created, description, amount, currency, experiment_id, job_id } = event;
  return { id, kind, date_created, description, amount, currency, experiment_id, job_id };
}

/** A dataset as listed. */
export function datasetShape(dataset: Dataset): Record<string, unknown> {
  const { id, name, date_created, date_last_used, is_deleted, status } = dataset;
  return { id, name, date_created, date_last_used, is_deleted, status };
}

export function datasetDetailShape(dataset: Dataset): Record<string, unknown> {
  const { filename, retention_days, stimuli } = dataset;
  return { ...datasetShape(dataset), filename, retention_days, num_stimuli: stimuli.length };
}

/** A job as listed: a pool object and counts in 0.8.3, an integer pool and `neighbour` before. */
export function jobShape(job: Job, version: ApiVersion): Record<string, unknown> {
  const { id, experiment_id, num_sessions, date_created, date_updated, date_launched, status, config } = job;
  const common = { id, experiment_id, num_sessions, date_created, date_updated, date_launched, status };
  if (version === "0.8.3") {
    const { num_comparisons, num_training, rater_pool } = job;
    return { ...common, config, num_comparisons, num_training, rater_pool };
  }
  const older = config["strategy"] === "neighbor" ? { ...config, strategy: "neighbour" } : config;
  return { ...common, config: older, pool: job.pool };
}

export function jobDetailShape(job: Job, version: ApiVersion): Record<string, unknown> {
  const { max_repetitions, min_rest_time } = job;
  return { ...jobShape(job, version), max_repetitions, min_rest_time };
}

/** An experiment as listed, in the shape of a version. */
export function experimentShape({ experiment, jobs }: Study, version: ApiVersion): Record<string, unknown> {
  const { id, name, type, language, dataset_ids, training_dataset_ids, date_created, date_updated, config } =
    experiment;
  const common = {
    id,
    name,
    language,
    dataset_ids,
    training_dataset_ids,
    job_ids: [...jobs.keys()],
    date_created,
    date_updated,
    config,
  };
  return version === "0.8.3" ? { ...common, type } : { ...common, version: experiment.version };
}

/** An experiment with its datasets and jobs. */
export function experimentDetailShape(project: Project, study: Study, version: ApiVersion): Record<string, unknown> {
  const { id, name, type, language, date_created, date_updated, config } = study.experiment;
  const { title, question, description, introduction } = study.experiment;
  const summaries = (ids: readonly string[]) => ids.flatMap((one) => datasetSummaries(project.datasets.get(one)));
  const common = {
    ...{ id, name, language, date_created, date_updated, config },
    datasets: summaries(study.experiment.dataset_ids),
    training_datasets: summaries(study.experiment.training_dataset_ids),
    jobs: [...study.jobs.values()].map((job: Job) => jobShape(job, version)),
  };
  return version === "0.8.3"
    ? { ...common, type, title, question, description, introduction }
    : { ...common, version: study.experiment.version };
}

function datasetSummaries(dataset: Dataset | undefined): Record<string, unknown>[] {
  if (dataset === undefined) return [];
  const { name, date_created, date_last_used, is_deleted, status } = dataset;
  return [{ name, date_created, date_last_used, is_deleted, status }];
}

/** A leaderboard with its scores, best first. */
export function leaderboardShape(
  service: Service,
  project: Project,
  rubric: Rubric,
  board: Leaderboard,
): Record<string, unknown> {
  const { id, name, description, date_updated, kind, dimension, experiment_id } = board;
  const scores = boardResult(service, project, board)?.scores ?? [];
  const main = (row: Record<string, unknown>): number => Number(row["value"] ?? row["mean"] ?? row["wins"] ?? 0);
  return {
    ...{ id, name, description, date_updated, kind, dimension },
    rubric_id: rubric.id,
    experiment_ids: [experiment_id],
    scores: [...scores].sort((a, b) => main(b) - main(a)),
  };
}

export function boardResult(service: Service, project: Project, board: Leaderboard) {
  const study = project.studies.get(board.experiment_id);
  if (study === undefined) return undefined;
  return service.results.of(study).find(({ kind, dimension }) => kind === board.kind && dimension === board.dimension);
}

export function rubricShape({ leaderboards, ...rubric }: Rubric): Record<string, unknown> {
  return { ...rubric, leaderboards: leaderboards.map(({ id, name, date_updated }) => ({ id, name, date_updated })) };
}
