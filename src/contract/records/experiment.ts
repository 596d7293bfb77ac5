import { Type } from "../../platform/index.js";
import { assumed, DateTime, Enum, Json } from "../schema.js";
import { languages } from "../vocabulary.js";
import { DatasetSummary } from "./dataset.js";
import { Job, JobOlder } from "./job.js";
import { versioned } from "../versions.js";

const older = {
  id: Type.String(),
  name: Type.String({ description: "Identifies the experiment." }),
  language: Enum(languages, { description: "Interface language of the experiment." }),
  dataset_ids: Type.Array(Type.String()),
  training_dataset_ids: Type.Array(Type.String()),
  job_ids: Type.Array(Type.String()),
  date_created: DateTime(),
  date_updated: DateTime(),
  config: Json({ description: "Free-form configuration." }),
};

const type = Type.String({ description: "For example mushra, pairwise_image, acr_audio; the set is open." });

/** Source: service-api.md, "Experiment (list item and create response)". */
const Experiment = Type.Object({ ...older, type });

/** The older shape has no type. The interface shows its integer version in the create body only. */
const version = Type.Integer(assumed({}, "field"));
const ExperimentOlder = Type.Object({ ...older, version });

const detail = {
  id: Type.String(),
  name: Type.String(),
  language: Type.Optional(older.language),
  datasets: Type.Array(Type.Object(DatasetSummary.properties)),
  training_datasets: Type.Array(Type.Object(DatasetSummary.properties)),
  date_created: Type.Optional(older.date_created),
  date_updated: Type.Optional(older.date_updated),
  config: Type.Optional(older.config),
};

/** Source: service-api.md, "Experiment detail". */
const ExperimentDetail = Type.Object({
  ...detail,
  type,
  jobs: Type.Array(Type.Object(Job.properties)),
  title: Type.Optional(Type.String()),
  question: Type.Optional(Type.String({ description: "Shown at the top of the experiment screen." })),
  description: Type.Optional(Type.String()),
  introduction: Type.Optional(Type.String({ description: "Empty means the default introduction." })),
});

const ExperimentDetailOlder = Type.Object({
  ...detail,
  version,
  jobs: Type.Array(Type.Object(JobOlder.properties)),
});

export const experimentRecords = {
  experiment: versioned(Experiment, ExperimentOlder),
  experiment_detail: versioned(ExperimentDetail, ExperimentDetailOlder),
};
