import { Type } from "typebox";
import { identifierPattern, publishedLists, tableNames } from "../contract/index.js";
import { conventionsInputSchema, type ConventionsInput, kinds } from "../metrics/index.js";

const strict = { additionalProperties: false } as const;
const text = (description: string) => Type.String({ minLength: 1, description });
const identifier = (description: string) => Type.String({ pattern: identifierPattern, description });
const path = (description: string) => text(`${description} Relative to the folder of this file.`);

const Service = Type.Object(
  {
    base_url: Type.Optional(text("Address of the study service. RECOUNT_BASE_URL beats it.")),
    project: Type.Optional(identifier("Project identifier. RECOUNT_PROJECT_ID beats it.")),
    key_file: Type.Optional(path("File that holds the API key; RECOUNT_API_KEY holds the key itself and beats it.")),
    organization: Type.Optional(identifier("Organization identifier, for its billing events.")),
    billing: Type.Optional(identifier("Billing account of the organization.")),
  },
  strict,
);

const Selection = Type.Object(
  {
    ids: Type.Optional(Type.Array(identifier("Experiment identifier."))),
    names: Type.Optional(Type.Array(text("Glob over experiment names, for example codec-*."))),
    types: Type.Optional(Type.Array(text("Experiment type, for example pairwise_image."))),
  },
  {
    ...strict,
    description: "Which experiments are exported; without it, all. An experiment must fit every line given.",
  },
);

const Export = Type.Object(
  {
    concurrency: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 64, description: "Requests at a time, default 6." }),
    ),
    keep_raw: Type.Optional(
      Type.Boolean({ description: "Keep response bodies in the lake's raw folder, default true." }),
    ),
    allow_shrink: Type.Optional(
      Type.Boolean({ description: "Publish although a table lost rows beyond max_shrink, default false." }),
    ),
    max_shrink: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: "Share of a table's rows that may vanish, default 0.5." }),
    ),
    keep_snapshots: Type.Optional(
      Type.Integer({ minimum: 1, description: "Snapshots kept after a run; without it, all." }),
    ),
  },
  strict,
);

const Tolerance = Type.Union([
  Type.Number({ minimum: 0, description: "Absolute, in the metric's unit." }),
  Type.Object(
    { absolute: Type.Optional(Type.Number({ minimum: 0 })), relative: Type.Optional(Type.Number({ minimum: 0 })) },
    strict,
  ),
]);

const Tolerances = Type.Object(Object.fromEntries(kinds.map((kind) => [kind, Type.Optional(Tolerance)])), {
  ...strict,
  description: "How far a recomputed number may lie from the published one, per kind; without it, not at all.",
});

const ScoreShapes = Type.Record(
  Type.String(),
  Type.Object(
    {
      entries: text("JSONPath from `scores` to its entries."),
      item: text("JSONPath from an entry to its identity."),
      fields: Type.Record(Type.String(), Type.String(), { description: "Field to JSONPath from an entry." }),
    },
    strict,
  ),
  {
    description:
      "Shape of published scores per kind, or per list and kind (leaderboards.elo), where the lenient reading is wrong.",
  },
);

const RecordShape = Type.Object(
  {
    records: Type.Optional(
      text("JSONPath from an element of the list to its records; without it, the element is one."),
    ),
    kind: Type.Optional(text("JSONPath from a record to the metric's name.")),
    dimension: Type.Optional(text("JSONPath from a record to its dimension.")),
    source: Type.Optional(
      text("JSONPath from a record to the identifiers of the jobs or the experiment that it is about."),
    ),
    scores: Type.Optional(text("JSONPath from a record to its scores.")),
    options: Type.Optional(text("JSONPath from a record to the conventions that it states.")),
  },
  strict,
);

const RecordShapes = Type.Object(Object.fromEntries(publishedLists.map((list) => [list, Type.Optional(RecordShape)])), {
  ...strict,
  description: "Where the parts of a published record stand, per list, where the lenient reading is wrong.",
});

const Outputs = Type.Object(
  {
    audit: Type.Optional(path("Where audit.json is written.")),
    summary: Type.Optional(path("Where the summary of the run is written, as JSON.")),
    bundle: Type.Optional(path("Where the evidence bundle is written, a ZIP.")),
  },
  strict,
);

/** A pipeline file. Its JSON Schema is published as docs/pipeline.schema.json. */
export const pipelineSchema = Type.Object(
  {
    service: Type.Optional(Service),
    selection: Type.Optional(Selection),
    tables: Type.Optional(
      Type.Array(Type.Unsafe<string>({ type: "string", enum: [...tableNames] }), {
        description: "Tables exported; without it, all.",
      }),
    ),
    lake: Type.Optional(path("Folder of the lake, default lake.")),
    export: Type.Optional(Export),
    conventions: Type.Optional(Type.Unsafe<ConventionsInput>(conventionsInputSchema)),
    tolerances: Type.Optional(Tolerances),
    score_shapes: Type.Optional(ScoreShapes),
    record_shapes: Type.Optional(RecordShapes),
    outputs: Type.Optional(Outputs),
  },
  { ...strict, $schema: "https://json-schema.org/draft/2020-12/schema", title: "Recount pipeline" },
);

export type Pipeline = Type.Static<typeof pipelineSchema>;
