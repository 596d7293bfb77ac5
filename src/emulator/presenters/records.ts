import type { ApiVersion } from "../../contract/index.js";
import type { Emulator } from "../emulator.js";
import type { Job } from "../state/records.js";
import type { BillingEvent, Dataset, Leaderboard, Project, Rubric, Study } from "../state/state.js";

type Fields = Record<string, unknown>;

function pick<T extends object, K extends keyof T & string>(from: T, ...names: K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<T, K>;
}

/** A billing event as a project sees it. */
export const presentBillingEvent = (event: BillingEvent): Fields =>
  pick(event, "id", "kind", "date_created", "description", "amount", "currency", "experiment_id", "job_id");

export const presentDataset = (dataset: Dataset): Fields =>
  pick(dataset, "id", "name", "date_created", "date_last_used", "is_deleted", "status");

export const presentDatasetDetail = (dataset: Dataset): Fields => ({
  ...presentDataset(dataset),
  ...pick(dataset, "filename", "retention_days"),
  num_stimuli: dataset.stimuli.length,
});

const jobFields = ["id", "experiment_id", "num_sessions", "date_created", "date_updated", "date_launched"] as const;

/** A job as listed: a pool object and counts in 0.8.3, an integer pool and `neighbour` in 0.7.5. */
export function presentJob(job: Job, version: ApiVersion): Fields {
  const common = pick(job, ...jobFields, "status");
  if (version === "0.8.3")
    return { ...common, ...pick(job, "config", "num_comparisons", "num_training", "rater_pool") };
  const { config, pool } = job;
  return { ...common, config: config.strategy === "neighbor" ? { ...config, strategy: "neighbour" } : config, pool };
}

export const presentJobDetail = (job: Job, version: ApiVersion): Fields => ({
  ...presentJob(job, version),
  ...pick(job, "max_repetitions", "min_rest_time"),
});

export function presentExperiment({ experiment, jobs }: Study, version: ApiVersion): Fields {
  return {
    ...pick(experiment, "id", "name", "language", "dataset_ids", "training_dataset_ids"),
    job_ids: [...jobs.keys()],
    ...pick(experiment, "date_created", "date_updated", "config", version === "0.8.3" ? "type" : "version"),
  };
}

/** An experiment with its datasets and jobs. */
export function presentExperimentDetail(project: Project, { experiment, jobs }: Study, version: ApiVersion): Fields {
  const summaries = (ids: readonly string[]) =>
    ids
      .flatMap((id) => project.datasets.get(id) ?? [])
      .map((dataset) => pick(dataset, "name", "date_created", "date_last_used", "is_deleted", "status"));
  return {
    ...pick(experiment, "id", "name", "language", "date_created", "date_updated", "config"),
    datasets: summaries(experiment.dataset_ids),
    training_datasets: summaries(experiment.training_dataset_ids),
    jobs: [...jobs.values()].map((job) => presentJob(job, version)),
    ...(version === "0.8.3"
      ? pick(experiment, "type", "title", "question", "description", "introduction")
      : pick(experiment, "version")),
  };
}

/** A leaderboard with its scores, best first. */
export function presentLeaderboard(emulator: Emulator, project: Project, rubric: Rubric, board: Leaderboard): Fields {
  const main = (row: Fields): number => Number(row.value ?? row.mean ?? row.wins ?? 0);
  return {
    ...pick(board, "id", "name", "description", "date_updated", "kind", "dimension"),
    rubric_id: rubric.id,
    experiment_ids: [board.experiment_id],
    scores: [...(boardResult(emulator, project, board)?.scores ?? [])].sort((a, b) => main(b) - main(a)),
  };
}

/** The published result that a leaderboard shows. */
export function boardResult({ results }: Emulator, project: Project, board: Leaderboard) {
  const study = project.studies.get(board.experiment_id);
  if (study === undefined) return undefined;
  return results.of(study).find(({ kind, dimension }) => kind === board.kind && dimension === board.dimension);
}

export const presentRubric = ({ leaderboards, ...rubric }: Rubric): Fields => ({
  ...rubric,
  leaderboards: leaderboards.map((board) => pick(board, "id", "name", "date_updated")),
});
