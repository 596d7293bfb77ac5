import type { ApiVersion } from "../../contract/index.js";
import type { Job } from "../state/records.js";
import type { Dataset, Project, Study } from "../state/state.js";
import { jobShape } from "./job.js";

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
