import type { Static, TObject } from "typebox";
import { datasetRecords } from "./records/dataset.js";
import { experimentRecords } from "./records/experiment.js";
import { jobRecords } from "./records/job.js";
import { projectRecords } from "./records/project.js";
import { raterRecords } from "./records/rater.js";
import { ratingRecords } from "./records/rating.js";
import { resultRecords } from "./records/result.js";
import type { ApiVersion } from "./versions.js";

/** Every record of the interface, as JSON Schema, by interface version. */
export const records = {
  ...experimentRecords,
  ...datasetRecords,
  ...jobRecords,
  ...raterRecords,
  ...ratingRecords,
  ...resultRecords,
  ...projectRecords,
} as const satisfies Record<string, Record<ApiVersion, TObject>>;

export type RecordName = keyof typeof records;

/** The TypeScript type of a record, derived from its schema. */
export type RecordOf<N extends RecordName, V extends ApiVersion = "0.8.3"> = Static<(typeof records)[N][V]>;
