import type { Dataset } from "../state/state.js";

/** A dataset as listed. */
export function datasetShape(dataset: Dataset): Record<string, unknown> {
  const { id, name, date_created, date_last_used, is_deleted, status } = dataset;
  return { id, name, date_created, date_last_used, is_deleted, status };
}

export function datasetDetailShape(dataset: Dataset): Record<string, unknown> {
  const { filename, retention_days, stimuli } = dataset;
  return { ...datasetShape(dataset), filename, retention_days, num_stimuli: stimuli.length };
}
