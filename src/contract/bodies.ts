import { Type, type Static, type TObject } from "typebox";
import { Enum, Json } from "./schema.js";
import { languages, strategies } from "./vocabulary.js";
import type { ApiVersion } from "./versions.js";

const DatasetCreate = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 64 }),
  filename: Type.String({ minLength: 1 }),
  retention_days: Type.Optional(Type.Integer({ minimum: -1, description: "-1 means unlimited." })),
});

const reference = Type.Union([Type.String(), Type.Integer()], {
  description: "Shown as integers in the request, while responses carry strings; both are taken.",
});

const experimentCommon = {
  name: Type.String({ minLength: 1, maxLength: 128 }),
  language: Type.Optional(Enum(languages)),
  datasets: Type.Optional(Type.Array(reference)),
  training_datasets: Type.Optional(Type.Array(reference)),
  config: Type.Optional(Json()),
};

const ExperimentCreate = Type.Object({
  ...experimentCommon,
  type: Type.String({ minLength: 1 }),
  title: Type.Optional(Type.String()),
  question: Type.Optional(Type.String()),
  description: Type.Optional(Type.String()),
  introduction: Type.Optional(Type.String()),
});

const ExperimentCreateOlder = Type.Object({ ...experimentCommon, version: Type.Integer() });

const jobCommon = {
  num_sessions: Type.Integer({ minimum: 1 }),
  num_comparisons: Type.Optional(Type.Integer({ minimum: 1, description: "Maximum number of slates of each rater." })),
  num_training: Type.Optional(Type.Integer({ minimum: 0, description: "Zero disables training." })),
  max_repetitions: Type.Optional(Type.Integer({ minimum: 0 })),
  min_rest_time: Type.Optional(Type.Integer({ minimum: 0, description: "Minutes." })),
  note: Type.Optional(Type.String()),
};

const JobCreate = Type.Object({
  ...jobCommon,
  rater_pool: Type.Integer({ description: "Rater pool reference." }),
  strategy: Type.Optional(Enum(strategies["0.8.3"])),
});

const JobCreateOlder = Type.Object({
  ...jobCommon,
  pool: Type.Integer(),
  strategy: Type.Optional(Enum(strategies["0.7.5"])),
});

const JobLaunch = Type.Object({ token: Type.String({ minLength: 1, "x-secret": true }) });

const WebhookCreate = Type.Object({
  url: Type.String({ minLength: 1 }),
  events: Type.Optional(Type.Array(Type.String())),
  description: Type.Optional(Type.String()),
  is_active: Type.Optional(Type.Boolean()),
});

const WebhookUpdate = Type.Partial(WebhookCreate);

const same = <T extends TObject>(schema: T) => ({ "0.8.3": schema, "0.7.5": schema });

/** Every request body, as JSON Schema, by interface version. Source: service-api.md, "Endpoints". */
export const bodies = {
  dataset_create: same(DatasetCreate),
  experiment_create: { "0.8.3": ExperimentCreate, "0.7.5": ExperimentCreateOlder },
  job_create: { "0.8.3": JobCreate, "0.7.5": JobCreateOlder },
  job_launch: same(JobLaunch),
  webhook_create: same(WebhookCreate),
  webhook_update: same(WebhookUpdate),
} as const satisfies Record<string, Record<ApiVersion, TObject>>;

export type BodyName = keyof typeof bodies;
export type BodyOf<N extends BodyName, V extends ApiVersion = "0.8.3"> = Static<(typeof bodies)[N][V]>;

/** Content types in which a body is accepted. */
export const bodyEncodings = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"] as const;
