import { Type } from "../../platform/index.js";
import { assumed, Enum, Json } from "../schema.js";
import { datasetStatuses } from "../vocabulary.js";
import { same } from "../versions.js";

const Status = Enum(datasetStatuses);

/** Source: service-api.md, "Dataset summary", which calls its dates plain text. */
export const DatasetSummary = Type.Object({
  name: Type.String({ description: "Short name." }),
  date_created: Type.String(),
  date_last_used: Type.String(),
  is_deleted: Type.Optional(Type.Boolean({ description: "True when the files of the dataset have been deleted." })),
  status: Type.Optional(Status),
});

const own = assumed({}, "field");

/** The list item; fields beyond the summary are assumed. */
const Dataset = Type.Object({
  id: Type.String(own),
  ...DatasetSummary.properties,
});

/** The detail; fields beyond the summary are assumed. */
const DatasetDetail = Type.Object({
  ...Dataset.properties,
  filename: Type.Optional(Type.String(own)),
  retention_days: Type.Optional(Type.Integer({ ...own, description: "-1 means unlimited." })),
  num_stimuli: Type.Optional(Type.Integer(own)),
});

/** Source: service-api.md, "Dataset create result". */
const DatasetCreated = Type.Object({
  id: Type.String(),
  name: Type.String(),
  upload_url: Type.String({ "x-secret": true, description: "Signed address to which the file is uploaded." }),
  status_url: Type.String({ description: "Address of the dataset status operation." }),
});

/** Fields beyond the status value and the error messages are not shown. */
const DatasetStatus = Type.Object({
  status: Status,
  errors: Json({ ...own, description: "Error messages of a failed processing." }),
});

export const datasetRecords = {
  dataset: same(Dataset),
  dataset_detail: same(DatasetDetail),
  dataset_created: same(DatasetCreated),
  dataset_status: same(DatasetStatus),
};
