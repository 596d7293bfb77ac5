/** The schema of a pipeline file, published as docs/reference/pipeline.schema.json. */
import { Type, type Static, type TObject, type TOptional, type TString } from "typebox";
import { fileNamePattern, publishedLists, tableNames } from "../contract/index.js";
import {
  conventionsInputSchema,
  type ConventionsInput,
  kinds,
  type Kind,
} from "../metrics/index.js";
import type { SourceScope } from "../extract/index.js";
import { defaultRetention } from "../lake/index.js";
import { choices, settings, strict } from "../platform/index.js";
import { textSchema as text } from "../yaml/index.js";
import { noticeEventNames, noticeEvents, noticeSchema, type NoticeEvent } from "./notices.js";
import { outputs, type OutputName } from "./outputs.js";
import { recordOutputs, type RecordOutputName } from "./record.js";

type PseudonymScope = (typeof choices.pseudonym_scope.enum)[number];

const nameSetting = (description: string) => Type.String({ pattern: fileNamePattern, description });
const path = (description: string) => text(`${description} Relative to the folder of this file.`);

const setting = <T>(schema: Parameters<typeof Type.Unsafe>[0]) =>
  Type.Optional(Type.Unsafe<T>(schema));

const ServiceSchema = Type.Object(
  {
    base_url: Type.Optional(
      text(
        "Address of the study service, for example https://api.example.org. RECOUNT_BASE_URL " +
          "takes precedence.",
      ),
    ),
    project: Type.Optional(
      nameSetting("Project identifier, for example Listen42. RECOUNT_PROJECT_ID takes precedence."),
    ),
    key_file: Type.Optional(
      path("File with the API key. The key in RECOUNT_API_KEY takes precedence."),
    ),
    ca_file: Type.Optional(path("File with certificates of authorities to trust too, PEM.")),
    client_cert: Type.Optional(path("File with a client certificate, PEM.")),
    client_key: Type.Optional(path("File with the key of the client certificate, PEM.")),
    organization: Type.Optional(nameSetting("Organization identifier, for its billing events.")),
    billing: Type.Optional(nameSetting("Billing account of the organization.")),
  },
  strict,
);

const SelectionSchema = Type.Object(
  {
    ids: Type.Optional(Type.Array(nameSetting("Experiment identifier, for example Codecs16k."))),
    names: Type.Optional(Type.Array(text("Glob over experiment names, for example codec-*."))),
    types: Type.Optional(Type.Array(text("Experiment type, for example pairwise_image."))),
  },
  {
    ...strict,
    description: "Experiments to export, default all. An experiment must match every list given.",
  },
);

const Export = Type.Object(
  {
    concurrency: setting<number>(settings.concurrency),
    retry_for: setting<number>(settings.retry_for),
    keep_raw: setting<boolean>(settings.keep_raw),
    sources: setting<SourceScope>(choices.sources),
    mask_secrets: setting<boolean>(settings.mask_secrets),
    allow_shrink: setting<boolean>(settings.allow_shrink),
    max_shrink: setting<number>(settings.max_shrink),
  },
  strict,
);

const KeepSchema = Type.Union(
  [
    Type.Object(
      {
        last: setting<number>(settings.keep_last),
        daily: setting<number>(settings.keep_daily),
        monthly: setting<number>(settings.keep_monthly),
        yearly: setting<number>(settings.keep_yearly),
        models: setting<number>({ ...settings.keep_models, default: defaultRetention.models }),
      },
      strict,
    ),
    Type.Unsafe<"all">({ type: "string", enum: ["all"] }),
  ],
  {
    description:
      "Snapshots to keep after a run, by the newest periods in UTC that have any, or all. " +
      "Default: last 7, daily 30, monthly 12.",
  },
);

const Pseudonymise = Type.Object(
  {
    scope: setting<PseudonymScope>(choices.pseudonym_scope),
    key_file: Type.Optional(
      path("File with the key. A key in RECOUNT_PSEUDONYM_KEY takes precedence."),
    ),
  },
  { ...strict, description: settings.pseudonymise.description },
);

const ToleranceSchema = Type.Union([
  Type.Number({ minimum: 0, description: "Absolute, in the metric's unit." }),
  Type.Object(
    {
      absolute: Type.Optional(Type.Number({ minimum: 0 })),
      relative: Type.Optional(Type.Number({ minimum: 0 })),
    },
    strict,
  ),
]);

const TolerancesSchema = Type.Object(
  Object.fromEntries(kinds.map((kind) => [kind, Type.Optional(ToleranceSchema)])),
  {
    ...strict,
    description:
      "Accepted difference between a published and a recomputed number, per metric kind, " +
      "default 0.",
  },
);

const ScoreShapesSchema = Type.Record(
  Type.String(),
  Type.Object(
    {
      entries: text("JSONPath from `scores` to its entries, for example $[*]."),
      item: text("JSONPath from an entry to its identity, for example $.stimulus."),
      fields: Type.Record(Type.String(), Type.String(), {
        description: "Field to JSONPath from an entry.",
      }),
    },
    strict,
  ),
  {
    description:
      "Layout of published scores per kind, or per list and kind (leaderboards.elo), where " +
      "automatic detection is wrong.",
  },
);

const RecordShapeSchema = Type.Object(
  {
    records: Type.Optional(
      text("JSONPath from an element of the list to its records, default the element itself."),
    ),
    kind: Type.Optional(text("JSONPath from a record to the metric's name.")),
    dimension: Type.Optional(text("JSONPath from a record to its dimension.")),
    source: Type.Optional(
      text("JSONPath from a record to the identifiers of its jobs or its experiment."),
    ),
    scores: Type.Optional(text("JSONPath from a record to its scores.")),
    options: Type.Optional(text("JSONPath from a record to its stated conventions.")),
  },
  strict,
);

const RecordShapesSchema = Type.Object(
  Object.fromEntries(publishedLists.map((list) => [list, Type.Optional(RecordShapeSchema)])),
  {
    ...strict,
    description: "Layout of published records per list, where automatic detection is wrong.",
  },
);

const Accept = Type.Array(
  Type.Object(
    {
      experiment: text(
        "Identifier or name of the experiment, or * for every one, for example Codecs16k.",
      ),
      kind: Type.Unsafe<Kind | "*">({
        type: "string",
        enum: [...kinds, "*"],
        description: "Metric; * for every one.",
      }),
      convention: text("The convention as the audit names it, for example training=include."),
      reason: text(
        "Why the numbers are right under this convention, for example training counts in this " +
          "study.",
      ),
    },
    strict,
  ),
  {
    description:
      "Conventions under which published numbers are accepted, although the service does " +
      "not state them.",
  },
);

const Ignore = Type.Array(
  Type.Object(
    {
      experiment: Type.Optional(text("Identifier or name of the experiment, default all.")),
      kind: setting<Kind>({
        type: "string",
        enum: [...kinds],
        description: "Metric, default all.",
      }),
      field: text(
        "Field as the audit names it, for example votes or options.alpha; with all fields in it.",
      ),
      reason: text("Why its numbers need no audit, for example a count of another product."),
    },
    strict,
  ),
  { description: "Published fields without a definition that the audit leaves out." },
);

const Spark = Type.Object(
  {
    connect: text(
      "Address of Spark Connect, for example sc://host:15002. A token is written as " +
        "sc://host:443/;use_ssl=true;token=${SPARK_TOKEN}.",
    ),
  },
  strict,
);

const EngineSchema = Type.Union(
  [
    Type.Unsafe<"duckdb">({ type: "string", enum: ["duckdb"] }),
    Type.Object({ spark: Spark }, strict),
  ],
  {
    description:
      "Where the models run: duckdb, which is the default, or a Spark cluster for the long tables.",
  },
);

const Outputs = Type.Object(
  Object.fromEntries(
    Object.entries({ ...outputs, ...recordOutputs }).map(([name, { description }]) => [
      name,
      Type.Optional(path(description)),
    ]),
  ) as Record<OutputName | RecordOutputName, TOptional<TString>>,
  strict,
);

/** What the file says of each project, and a project may override. */
const projectSettings = {
  service: Type.Optional(ServiceSchema),
  import: Type.Optional(
    Type.Union(
      [
        path("Mapping file of a study."),
        Type.Unsafe<object>({ type: "object", description: "A mapping." }),
      ],
      {
        description:
          "Files of a study instead of a service: a mapping file, or a mapping " +
          "(docs/how-to/import.md).",
      },
    ),
  ),
  selection: Type.Optional(SelectionSchema),
  tables: Type.Optional(
    Type.Array(Type.Unsafe<string>({ type: "string", enum: [...tableNames] }), {
      description: "Tables to export, default all except job_costs.",
    }),
  ),
  lake: Type.Optional(path("Folder of the lake, default lake.")),
  export: Type.Optional(Export),
  keep: Type.Optional(KeepSchema),
  pseudonymise: Type.Optional(Pseudonymise),
  conventions: setting<ConventionsInput>(conventionsInputSchema),
  statistics: Type.Optional(
    Type.Boolean({
      description:
        "Compute the models of docs/reference/statistics.md in each run too, default false.",
    }),
  ),
  tolerances: Type.Optional(TolerancesSchema),
  accept: Type.Optional(Accept),
  ignore: Type.Optional(Ignore),
  score_shapes: Type.Optional(ScoreShapesSchema),
  record_shapes: Type.Optional(RecordShapesSchema),
  engine: Type.Optional(EngineSchema),
  outputs: Type.Optional(Outputs),
  report_url: Type.Optional(
    text(
      "Public address of the report, which notices name instead of its file, for example " +
        "https://reports.example.org/{project}.html.",
    ),
  ),
};

/** Sent in the same way for all projects. */
const notices = Object.fromEntries(
  noticeEventNames.map((name) => [
    name,
    Type.Optional(noticeSchema(noticeEvents[name].description)),
  ]),
) as Record<NoticeEvent, TOptional<ReturnType<typeof noticeSchema>>>;

/** What a project leaves out is as for all. */
const Overrides = Type.Unsafe<ProjectPipeline>({
  type: "object",
  properties: Object.fromEntries(
    Object.keys(projectSettings).map((key) => [key, { $ref: `#/properties/${key}` }]),
  ),
  ...strict,
});

const Projects = Type.Union(
  [
    Type.Array(nameSetting("Project identifier, for example Listen42."), {
      minItems: 1,
      uniqueItems: true,
    }),
    Type.Record(Type.String(), Type.Union([Overrides, Type.Null()]), { minProperties: 1 }),
  ],
  {
    description:
      "Several projects instead of service.project: a list of identifiers, or a map from " +
      "each to the keys of this file that differ for it. `{project}` in a path stands for " +
      "the project.",
  },
);

const ScheduleSchema = Type.Object(
  {
    cron: Type.String({
      pattern: "^\\s*\\S+(\\s+\\S+){4}\\s*$",
      description:
        "Minute, hour, day of the month, month and day of the week, for example 0 2 * * *.",
    }),
    timezone: Type.Optional(text("IANA name of the time zone in which cron counts, default UTC.")),
    jitter: setting<number>(settings.jitter),
    catch_up: setting<boolean>(settings.catch_up),
    port: setting<number>(settings.health_port),
    host: Type.Optional(text("Address that the health server listens on, default 127.0.0.1.")),
  },
  { ...strict, description: "When recount schedule runs this file." },
);

export const pipelineSchema = Type.Object(
  {
    ...projectSettings,
    ...notices,
    projects: Type.Optional(Projects),
    schedule: Type.Optional(ScheduleSchema),
  },
  { ...strict, title: "Recount pipeline" },
);

export type Pipeline = Static<typeof pipelineSchema>;
export type ProjectPipeline = Static<TObject<typeof projectSettings & typeof notices>>;
