import { Type } from "../../platform/index.js";
import { assumed, DateTime, Json, Nullable } from "../schema.js";
import { same, versioned } from "../versions.js";

/** Source: service-api.md, "Rating". `score` is null if a question has no score (surveys). */
const Rating = Type.Object({
  score: Nullable(Type.Number(), assumed({}, "null")),
  rater_id: Type.Integer({ "x-text": true }),
  slate_id: Type.Integer(),
  session_id: Type.String(),
  job_id: Type.String(),
  stimulus_id: Type.Integer(),
  stimulus: Type.String(),
  dimension: Type.String(),
  is_training: Type.Boolean(),
  meta: Json({ "x-persons": "flags" }),
  is_correct: Nullable(Type.Boolean(), { description: "Computed from meta and score; null when meta says nothing." }),
});

const slate = {
  id: Type.Integer(),
  session_id: Type.String(),
  job_id: Type.String(),
  ratings: Type.Array(Type.Object(Rating.properties), { "x-table": "slate_ratings" }),
  date_updated: DateTime(),
  meta: Json({ description: "Additional data, for example the time taken to complete the slate." }),
  is_training: Type.Boolean(),
};

/** Source: service-api.md, "Slate". */
const Slate = Type.Object({ ...slate, rater_id: Type.String() });
const SlateOlder = Type.Object({ ...slate, rater_id: Type.Integer() });

export const ratingRecords = {
  rating: same(Rating),
  slate: versioned(Slate, SlateOlder),
};
