import type { BillingEvent, Experiment } from "./state.js";
import type { Job } from "./records.js";

/** An experiment of which only some fields are known. */
export const newExperiment = (
  known: Pick<Experiment, "id" | "name" | "type" | "date_created"> & Partial<Experiment>,
): Experiment => ({
  ...{ language: "en", title: "", question: "", description: "", introduction: "", version: 1, config: {} },
  ...{ dataset_ids: [], training_dataset_ids: [], date_updated: known.date_created },
  ...known,
});

/** A job of which only some fields are known; a draft unless they say otherwise. */
export const newJob = (
  known: Pick<Job, "id" | "experiment_id" | "num_sessions" | "date_created" | "rater_pool" | "pool"> & Partial<Job>,
): Job => ({
  ...{ num_comparisons: 0, num_training: 0, max_repetitions: 0, min_rest_time: 0, config: {} },
  ...{ status: "draft", date_updated: known.date_created, date_launched: null },
  ...known,
});

/** Price of a session in euro, by kind of rater pool. */
const prices: Record<number, number> = { 0: 0, 100: 0, 400: 1.15, 500: 0.2, 600: 4.8, 700: 1.15 };

export const costOf = (job: Job, sessions: number): number =>
  Math.round(100 * sessions * (prices[job.rater_pool.kind] ?? 0)) / 100;

/** The billing event of a launched job. */
export const launchEvent = (id: string, project_id: string, job: Job): BillingEvent => ({
  ...{ id, kind: "job.launched", date_created: job.date_launched ?? job.date_created },
  ...{ amount: costOf(job, job.num_sessions), currency: "EUR" },
  description: `${job.num_sessions} sessions, ${job.rater_pool.label.toLowerCase()}`,
  ...{ project_id, experiment_id: job.experiment_id, job_id: job.id },
});
