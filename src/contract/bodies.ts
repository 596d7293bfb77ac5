/** The request bodies of the interface. */
import { Type, type Static, type TObject } from "typebox";
import {
  assumed,
  Enum,
  Json,
  languages,
  strategiesByVersion,
  webhookEvents,
  same,
  versioned,
  type ApiVersion,
} from "./schema.js";

const required = assumed({}, "required");

/** The interface states no size of an integer. */
const Integer = (
  minimum: number,
  maximum: number,
  options: { default?: number; description?: string; examples?: number[] } = {},
) => {
  const { description, examples, ...rest } = options;
  return Type.Integer({
    ...assumed({ minimum, maximum, ...rest }),
    ...(description ? { description } : {}),
    ...(examples ? { examples } : {}),
  });
};
const int32 = 2 ** 31 - 1;

const optionalText = Type.Optional(Type.String(assumed({ default: "" })));

const DatasetCreate = Type.Object(
  {
    name: Type.String({ ...assumed({ minLength: 1, maxLength: 64 }), examples: ["Voices"] }),
    filename: Type.String({ ...assumed({ minLength: 1 }), examples: ["voices.zip"] }),
    retention_days: Type.Optional(
      Type.Integer({
        ...assumed({ minimum: -1, maximum: 36_500, default: -1 }, "field"),
        description: "-1 means unlimited.",
      }),
    ),
  },
  required,
);

const references = Type.Optional(
  Type.Array(
    Type.Union([Type.String(), Type.Integer()], {
      ...assumed({}, "type"),
      description:
        "Shown as integers in the request, while responses carry strings; both are taken.",
    }),
    assumed({ default: [] }),
  ),
);

const experimentBodyFields = {
  name: Type.String({
    ...assumed({ minLength: 1, maxLength: 128 }),
    examples: ["Voices, second round"],
  }),
  language: Type.Optional(Enum(languages, assumed({ default: "en" }))),
  datasets: references,
  training_datasets: references,
  config: Type.Optional(Json(assumed({ default: {} }))),
};

const ExperimentCreate = Type.Object(
  {
    ...experimentBodyFields,
    type: Type.String({ ...assumed({ minLength: 1 }), examples: ["acr_audio"] }),
    title: optionalText,
    question: optionalText,
    description: optionalText,
    introduction: optionalText,
  },
  required,
);

const ExperimentCreateOlder = Type.Object(
  { ...experimentBodyFields, version: Integer(0, int32) },
  required,
);

const jobBodyFields = {
  num_sessions: Integer(1, 100_000, { examples: [20] }),
  num_comparisons: Type.Optional(
    Integer(1, 1000, { default: 10, description: "Maximum number of slates of each rater." }),
  ),
  num_training: Type.Optional(
    Integer(0, 1000, { default: 0, description: "Zero disables training." }),
  ),
  max_repetitions: Type.Optional(Integer(0, 1000, { default: 0 })),
  min_rest_time: Type.Optional(Integer(0, 525_600, { default: 0, description: "Minutes." })),
  note: Type.Optional(Type.String()),
};

const JobCreate = Type.Object(
  {
    ...jobBodyFields,
    rater_pool: Integer(0, int32, { description: "Rater pool reference.", examples: [1] }),
    strategy: Type.Optional(Enum(strategiesByVersion["0.8.3"], { default: "randomized" })),
  },
  required,
);

const JobCreateOlder = Type.Object(
  {
    ...jobBodyFields,
    pool: Integer(0, int32),
    strategy: Type.Optional(Enum(strategiesByVersion["0.7.5"], assumed({ default: "randomized" }))),
  },
  required,
);

const JobLaunchBody = Type.Object(
  {
    token: Type.String({
      ...assumed({ minLength: 1 }),
      "x-secret": true,
      description: "As getJobCosts answers it.",
      examples: ["TOKEN"],
    }),
  },
  required,
);

/** Not shown; assumed. */
const webhookBodyFields = {
  url: Type.String({
    format: "uri",
    pattern: "^https?://",
    examples: ["https://example.org/hook"],
  }),
  events: Type.Optional(Type.Array(Enum(webhookEvents))),
  description: Type.Optional(Type.String()),
  is_active: Type.Optional(Type.Boolean()),
};

const WebhookCreate = Type.Object(
  {
    ...webhookBodyFields,
    events: Type.Optional(Type.Array(Enum(webhookEvents), { default: [...webhookEvents] })),
    description: Type.Optional(Type.String({ default: "" })),
    is_active: Type.Optional(Type.Boolean({ default: true })),
  },
  assumed({}, "fields"),
);

const WebhookUpdate = Type.Partial(Type.Object(webhookBodyFields), assumed({}, "fields"));

/** Every request body by interface version. Source: service-api.md, "Endpoints". */
export const bodies = {
  dataset_create: same(DatasetCreate),
  experiment_create: versioned(ExperimentCreate, ExperimentCreateOlder),
  job_create: versioned(JobCreate, JobCreateOlder),
  job_launch: same(JobLaunchBody),
  webhook_create: same(WebhookCreate),
  webhook_update: same(WebhookUpdate),
} as const satisfies Record<string, Record<ApiVersion, TObject>>;

export type BodyName = keyof typeof bodies;
export type BodyOf<N extends BodyName, V extends ApiVersion = "0.8.3"> = Static<
  (typeof bodies)[N][V]
>;

export const bodyEncodings = [
  "application/json",
  "application/x-www-form-urlencoded",
  "multipart/form-data",
] as const;
export type BodyEncoding = (typeof bodyEncodings)[number];
