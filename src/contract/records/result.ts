import { Type } from "../../platform/index.js";
import { assumed, DateTime, Enum, Json, Nullable } from "../schema.js";
import { metricKinds } from "../vocabulary.js";
import { same } from "../versions.js";

const result = {
  kind: Enum(metricKinds),
  dimension: Type.String(),
  source: Type.String(),
  scores: Type.Array(Json({ description: "Element shape not shown." })),
  options: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { description: "Conventions used; shape not shown." })),
};

/** Source: service-api.md, "Result". */
const Result = Type.Object(result);

/** The metrics list's record is not shown; assumed to be a result and what it belongs to. */
const Metric = Type.Object(
  {
    ...result,
    experiment_id: Type.Optional(Nullable(Type.String())),
    job_id: Type.Optional(Nullable(Type.String())),
    leaderboard_id: Type.Optional(Nullable(Type.String())),
  },
  assumed({}, "fields"),
);

const leaderboardSummary = { id: Type.String(), name: Type.String(), date_updated: DateTime() };

/** Not shown; assumed. */
const LeaderboardDetail = Type.Object(
  {
    ...leaderboardSummary,
    rubric_id: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    kind: Type.Optional(Enum(metricKinds)),
    dimension: Type.Optional(Type.String()),
    experiment_ids: Type.Optional(Type.Array(Type.String())),
    scores: Type.Array(Json()),
  },
  assumed({}, "fields"),
);

const rubric = {
  id: Type.String(),
  name: Type.String(),
  description: Type.Optional(Type.String()),
  date_created: DateTime(),
  date_updated: DateTime(),
};

/** Not shown; assumed. */
const Rubric = Type.Object(
  { ...rubric, leaderboards: Type.Array(Type.Object(leaderboardSummary)) },
  assumed({}, "fields"),
);

/** Not shown beyond "data of all leaderboards of the rubric"; assumed. */
const RubricDetail = Type.Object(
  {
    ...rubric,
    leaderboards: Type.Array(Type.Object(LeaderboardDetail.properties)),
  },
  assumed({}, "fields"),
);

export const resultRecords = {
  result: same(Result),
  metric: same(Metric),
  rubric: same(Rubric),
  rubric_detail: same(RubricDetail),
  leaderboard_detail: same(LeaderboardDetail),
};
