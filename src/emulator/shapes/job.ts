import type { ApiVersion } from "../../contract/index.js";
import type { Job } from "../state/records.js";

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
